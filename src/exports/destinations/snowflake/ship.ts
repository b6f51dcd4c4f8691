// Rows into Snowflake: files into the stage of a temporary table, from there into it, and in one statement into the
// table that people read.
import { randomUUID } from 'node:crypto';
import { DestinationError, modelKeys, type Shipment, type Shipped } from '../destination.ts';
import { mergeSql } from '../merge-sql.ts';
import { outside, type Part } from '../outside.ts';
import { JSON_LINE_SETTINGS, jsonObjectSql } from '../row-sql.ts';
import type { Session } from './client.ts';
import { writeFiles } from './files.ts';
import { type SnowflakeColumn, snowflakeColumns } from './layout.ts';
import { nameOf, quote, type SnowflakeTable } from './table.ts';

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

export async function shipToSnowflake(session: Session, shipment: Shipment, config: SnowflakeTable): Promise<Shipped> {
  const target = nameOf(config, config.table_name);
  const columns = await openTable(session, shipment, config, target);
  const stageName = `tenrec_stage_${randomUUID().replaceAll('-', '')}`;
  const stage = nameOf(config, stageName);
  await session.execute(`CREATE TEMPORARY TABLE ${stage} (${definitions(columns)})`);
  const names = columns.map(({ name }) => name);
  const stageFiles = `@${quote(config.database)}.${quote(config.schema)}.${quote(`%${stageName}`)}`;
  const load = (part: Part) => loadRows(session, shipment, columns, { table: stage, files: stageFiles, part });

  if (shipment.model === 'events' && !names.includes('uuid')) {
    const bytes = await insertOnce(session, shipment, nameOf(config, 'tenrec_export_ledger'), target, async (part) => {
      const loaded = await load(part);
      const list = names.map(quote).join(', ');
      return { loaded, statement: `INSERT INTO ${target} (${list}) SELECT ${list} FROM ${stage}` };
    });
    return { records: shipment.total, bytes };
  }
  const bytes = await load({});
  const keys = shipment.model === 'events' ? { key: ['uuid'], newer: [] } : modelKeys[shipment.model];
  await session.execute(mergeSql({ target, stage, columns: names, ...keys, quote }));
  return { records: shipment.total, bytes };
}

const definitions = (columns: readonly SnowflakeColumn[]): string =>
  columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ');

/** A table that was made before is used as it is: columns that it lacks are left out. */
async function openTable(
  session: Session,
  shipment: Shipment,
  config: SnowflakeTable,
  target: string,
): Promise<readonly SnowflakeColumn[]> {
  const columns = snowflakeColumns(shipment);
  await session.execute(
    `CREATE TABLE IF NOT EXISTS ${target} (${definitions(columns)}) COMMENT = 'Rows of a batch export'`,
  );
  const found = await session.execute<{ NAME: string }>(
    `SELECT column_name AS NAME FROM ${quote(config.database)}.information_schema.columns WHERE table_schema = ? AND table_name = ?`,
    [config.schema, config.table_name],
  );
  const existing = new Set(found.map(({ NAME }) => NAME));
  return columns.filter(({ name }) => existing.has(name));
}

async function loadRows(
  session: Session,
  shipment: Shipment,
  columns: readonly SnowflakeColumn[],
  { table, files, part }: { table: string; files: string; part: Part },
): Promise<number> {
  const line = jsonObjectSql(columns.map(({ name, written, sql }) => ({ name, type: written, sql })));
  const stream = await shipment.read({
    select: [{ name: 'line', sql: line }],
    ...part,
    format: 'TabSeparatedRaw',
    settings: JSON_LINE_SETTINGS,
  });
  const done = await writeFiles(stream, shipment, async (path) => {
    await session.execute(`PUT ${literal(`file://${path}`)} ${files} SOURCE_COMPRESSION = GZIP AUTO_COMPRESS = FALSE`);
  });
  if (!part.where && done.records !== shipment.total) {
    const text = `The event store answered with ${done.records} rows of ${shipment.total}.`;
    throw new DestinationError('IncompleteRead', text, { final: false });
  }
  await session.execute(
    `COPY INTO ${table} FROM ${files} FILE_FORMAT = (TYPE = JSON COMPRESSION = GZIP) MATCH_BY_COLUMN_NAME = CASE_SENSITIVE ON_ERROR = ABORT_STATEMENT`,
  );
  shipment.log('INFO', `Staged ${done.records} rows, ${done.bytes} bytes`);
  return done.bytes;
}

/** Rows that have no uuid are told apart by their interval, which is written down in the transaction that brings them. */
async function insertOnce(
  session: Session,
  shipment: Shipment,
  ledger: string,
  target: string,
  stageRows: (part: Part) => Promise<{ loaded: number; statement: string }>,
): Promise<number> {
  const { interval, exportId } = shipment;
  const [from, to] = [(interval.start?.getTime() ?? 0) * 1_000, interval.end.getTime() * 1_000];
  await session.execute(
    `CREATE TABLE IF NOT EXISTS ${ledger} ("export_id" STRING, "target" STRING, "from_micros" INTEGER, "to_micros" INTEGER)`,
  );
  const before = await session.execute<{ FROM_MICROS: number; TO_MICROS: number }>(
    `SELECT "from_micros" AS FROM_MICROS, "to_micros" AS TO_MICROS FROM ${ledger} WHERE "export_id" = ? AND "target" = ? AND "to_micros" > ? AND "from_micros" < ?`,
    [exportId, target, from, to],
  );
  const brought = before.map(({ FROM_MICROS, TO_MICROS }) => ({
    from_micros: String(FROM_MICROS),
    to_micros: String(TO_MICROS),
  }));
  const { loaded, statement } = await stageRows(outside(brought));
  await session.execute('BEGIN');
  try {
    await session.execute(statement);
    await session.execute(`INSERT INTO ${ledger} VALUES (?, ?, ?, ?)`, [exportId, target, from, to]);
    await session.execute('COMMIT');
  } catch (error) {
    await session.execute('ROLLBACK').catch(() => {});
    throw error;
  }
  return loaded;
}
