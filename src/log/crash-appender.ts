// Child process of the fault tests: appends numbered records and commits what it reads, until it is killed.
import { pino } from 'pino';
import { openLmdbLog } from './lmdb.ts';
import { LogFull } from './log.ts';

const [path, name, keepMs] = process.argv.slice(2) as [string, string, string];
const log = await openLmdbLog(
  { path, partitions: 4, maxBytes: 256 * 1024 * 1024, keepMs: Number(keepMs), diskReserveBytes: 0 },
  pino({ level: 'silent' }),
);
const acknowledge = (line: string) => process.stdout.write(`${line}\n`);

const allLarge = process.argv.includes('--large');

/** Single records, batches, and now and then a large one; or nothing but large ones. */
async function appendForEver(key: string): Promise<never> {
  for (let n = 0; ; ) {
    const size = allLarge || n % 50 === 0 ? 200_000 : 100;
    const numbers = n % 3 === 0 ? [n] : [n, n + 1, n + 2];
    const entries = numbers.map((number) => ({ key, value: Buffer.from(`${key} ${number} ${'x'.repeat(size)}`) }));
    try {
      await log.append(entries, { [key]: entries.length });
      for (const number of numbers) acknowledge(`appended ${key} ${number}`);
      n += numbers.length;
    } catch (error) {
      if (!(error instanceof LogFull)) throw error;
      acknowledge(`refused ${error.limit}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }
}

async function commitForEver(partition: number): Promise<never> {
  for (let from = await log.committed(partition); ; ) {
    const records = await log.read(partition, from, { recordsMax: 20, waitMs: 1000 });
    from += records.length;
    try {
      await log.commit(partition, from);
      acknowledge(`committed ${partition} ${from}`);
    } catch (error) {
      if (!(error instanceof LogFull)) throw error;
      from -= records.length;
    }
  }
}

const appenders = Array.from({ length: 4 }, (_, n) => appendForEver(`${name}-${n}`));
const committers = process.argv.includes('--commit') ? [0, 1, 2, 3].map(commitForEver) : [];
await Promise.all([...appenders, ...committers]);
