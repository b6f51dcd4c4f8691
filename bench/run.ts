// `npm run bench <name>`: runs one benchmark and prints its figures, each beside its limit.
import { readdir } from 'node:fs/promises';
import { printTable } from '../src/cli/table.ts';
import type { Figure } from './measure/figure.ts';

/** Neighbours on the machine come and go: only a limit missed by more than this fails the run. */
const NOISE_SHARE = 0.1;

type Verdict = '' | 'within' | 'over, by less than noise' | 'over';

function judge({ value, max }: Figure): Verdict {
  if (max === undefined) return '';
  if (value <= max) return 'within';
  return value <= max * (1 + NOISE_SHARE) ? 'over, by less than noise' : 'over';
}

const show = (value: number, unit: string) =>
  `${value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })} ${unit}`;

function printFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.name,
    show(figure.value, figure.unit),
    figure.max === undefined ? '' : `≤ ${show(figure.max, figure.unit)}`,
    judge(figure),
  ]);
  return printTable(['FIGURE', 'MEASURED', 'LIMIT', ''], rows);
}

const names = (await readdir(import.meta.dirname))
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.slice(0, -'.ts'.length));
const [name] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`Give one of: ${names.join(', ')}. For example: npm run bench ${names[0]}`);
  process.exit(2);
}
// A benchmark either returns its figures, or prints what it has to say by itself.
const { run }: { run(): Promise<Figure[] | undefined> } = await import(`./${name}.ts`);
const figures = (await run()) ?? [];
if (figures.length > 0) console.log(printFigures(figures));
if (figures.some((figure) => judge(figure) === 'over')) process.exitCode = 1;
