// The event tables beside their alternatives: what an insert costs, what a question costs, how much stays on the disk.
// `npm run bench tables [rows]`; 100,000 rows if nothing is said.
import { withBench } from './tables/bench.ts';
import { measureFormats } from './tables/formats.ts';
import { measureMixedLoad } from './tables/mixed-load.ts';
import { measureWays } from './tables/properties.ts';

export async function run(): Promise<void> {
  const rows = Number(process.argv[3] ?? 100_000);
  await withBench(async (bench) => {
    await measureFormats(bench);
    await measureWays(bench, rows);
    await measureMixedLoad(bench);
  });
}
