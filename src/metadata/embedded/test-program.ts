// A program with an embedded PostgreSQL and nothing else, for the tests that kill it or run it as somebody else.
// Arguments: the data folder. On SIGINT it says whether PostgreSQL still answers; it ends when it is told or killed.
import { pino } from 'pino';
import { openDataFolder } from '../../platform/data-folder.ts';
import { openMetadata } from '../open.ts';

const say = (message: Record<string, unknown>) => process.stdout.write(`${JSON.stringify(message)}\n`);

try {
  const folder = await openDataFolder(process.argv[2]!);
  const metadata = await openMetadata({ DATABASE_URL: '', TENREC_DATA: folder.path }, pino({ level: 'silent' }));
  const { pool, engine } = metadata;
  await pool.query('create table if not exists kept (n int)');
  await pool.query('insert into kept select coalesce(max(n), 0) + 1 from kept');
  const { rows } = await pool.query<{ n: number }>('select max(n) as n from kept');
  process.on('SIGINT', async () => {
    // A shutdown of the server would end it before it is through.
    await pool.query('select pg_sleep(0.5)');
    say({ interrupted: true, restarts: engine?.restarts });
  });
  process.on('SIGTERM', async () => {
    await metadata.close();
    await folder.close();
  });
  say({ started: true, pid: engine?.pid, n: rows[0]?.n });
} catch (error) {
  say({ started: false, message: (error as Error).message });
}
