import { listMigrations, migrateMetadata, withMigrationLock } from '../metadata/migrate.ts';
import { listStoreMigrations, migrateStore } from '../store/migrate.ts';
import { type Answer, type Command, command } from './command.ts';
import { quietly } from './log.ts';
import { type Reached, reach, requireData } from './reach.ts';
import { printTable } from './table.ts';

export const commands: Command[] = [
  command({
    name: 'migrate',
    summary: 'Bring the tables up to date, or tell whether they are.',
    about:
      'Every start does this too. Run it by hand to change the tables of a large installation before its processes are ' +
      'restarted. A running Tenrec holds its embedded ClickHouse alone: then only PostgreSQL is looked at.',
    options: {
      status: { type: 'flag', about: 'Change nothing; list the migrations, and exit with 1 when some are pending.' },
    },
    async run(call) {
      const config = quietly(call.readConfig());
      if (call.options.status) requireData(config);
      const log = await call.openLog(config);
      await using reached = await reach(config, log, { store: true });
      if (call.options.status) return await showStatus(reached);

      const { metadata, store } = reached;
      const applied = await withMigrationLock(metadata.pool, async () => ({
        postgresql: await migrateMetadata(metadata.pool, log),
        clickhouse: store ? await migrateStore(store.client, log, { cluster: config.TENREC_CLICKHOUSE_CLUSTER }) : null,
      }));
      const names = [...applied.postgresql, ...(applied.clickhouse ?? [])];
      const done = names.length > 0 ? names.map((name) => `applied ${name}`).join('\n') : 'Nothing to do: up to date.';
      return { data: { applied }, text: store ? done : `${done}\n${HELD}` };
    },
  }),
];

const HELD = 'ClickHouse was not looked at: the running Tenrec holds it, and brought it up to date when it started.';

async function showStatus({ metadata, store }: Reached): Promise<Answer> {
  const postgresql = await listMigrations(metadata.pool);
  const clickhouse = store ? await listStoreMigrations(store.client) : null;
  const rows = [
    ...postgresql.map((migration) => ({ service: 'PostgreSQL', ...migration })),
    ...(clickhouse ?? []).map((migration) => ({ service: 'ClickHouse', ...migration })),
  ].map(({ service, name, applied_at }) => [service, name, applied_at ?? 'pending']);
  const table = printTable(['SERVICE', 'MIGRATION', 'APPLIED'], rows);
  const pending = [...postgresql, ...(clickhouse ?? [])].some(({ applied_at }) => applied_at === null);
  return {
    data: { pending, postgresql, clickhouse },
    text: clickhouse ? table : `${table}\n${HELD}`,
    exit: pending ? 1 : 0,
  };
}
