// Rows into BigQuery: loaded into a table of their own, and from there in one statement into the one that people read.
import { randomUUID } from 'node:crypto';
import { finished, pipeline } from 'node:stream/promises';
import type { BigQuery, Job, Table, TableField } from '@google-cloud/bigquery';
import { ByteCount } from '../byte-count.ts';
import { DestinationError, modelKeys, type Shipment, type Shipped } from '../destination.ts';
import { readLines } from '../lines.ts';
import { mergeSql } from '../merge-sql.ts';
import { JSON_LINE_SETTINGS, jsonObjectSql } from '../row-sql.ts';
import { type Field, type FieldValue, fieldsOf, fitTo, INGESTED } from './layout.ts';
import { type BigQueryTable, nameOf, quote } from './table.ts';

/** A table that a killed run left behind is removed by BigQuery itself. */
const STAGE_MS_MAX = 24 * 3_600_000;

export async function shipToBigQuery(client: BigQuery, shipment: Shipment, config: BigQueryTable): Promise<Shipped> {
  const dataset = client.dataset(config.dataset_id);
  const { fields, existing } = await openTable(dataset.table(config.table_id), shipment, config.use_json_type);
  const stage = dataset.table(
    `${config.table_id}_stage_${shipment.runId.replaceAll('-', '')}_${randomUUID().slice(0, 8)}`,
  );
  await stage.create({ schema: fields.map(toSchema), expirationTime: String(Date.now() + STAGE_MS_MAX) });
  try {
    const bytes = await load(stage, fields, shipment);
    shipment.signal.throwIfAborted();
    await move(client, shipment, config, stage.id ?? '', fields, existing);
    return { records: shipment.total, bytes };
  } finally {
    await stage.delete().catch(() => {});
  }
}

const toSchema = ({ name, type, mode }: Field): TableField => ({ name, type, ...(mode && { mode }) });

/** The fields to write, and all names that the table knows. */
async function openTable(
  table: Table,
  shipment: Shipment,
  useJson: boolean,
): Promise<{ fields: FieldValue[]; existing: string[] }> {
  const fields = fieldsOf(shipment, useJson);
  const isEvents = shipment.model === 'events' && !shipment.customColumns;
  const [exists] = await table.exists();
  if (!exists) {
    const schema = [...fields, ...(isEvents ? [INGESTED] : [])].map(toSchema);
    const options = { schema, ...(isEvents && { timePartitioning: { type: 'DAY', field: 'timestamp' } }) };
    await table.create(options).catch((error: { code?: number }) => {
      // Another run may have made it just before.
      if (error.code !== 409) throw error;
    });
  }
  const [{ schema }] = await table.getMetadata();
  const found = (schema?.fields ?? []) as { name: string; type: string }[];
  return { fields: fitTo(fields, found), existing: found.map(({ name }) => name) };
}

async function load(stage: Table, fields: readonly FieldValue[], shipment: Shipment): Promise<number> {
  const line = jsonObjectSql(fields.map(({ name, written, sql }) => ({ name, type: written, sql })));
  const rows = await shipment.read({
    select: [{ name: 'line', sql: line }],
    format: 'TabSeparatedRaw',
    settings: JSON_LINE_SETTINGS,
  });
  const count = new ByteCount((bytes, records) => shipment.progress({ records, bytes }));
  const upload = stage.createWriteStream({
    sourceFormat: 'NEWLINE_DELIMITED_JSON',
    schema: { fields: fields.map(toSchema) },
  });
  const loaded = new Promise<Job>((resolve) => upload.once('complete', resolve));
  // The stream ends when the rows are sent, and the load only after that; either may fail.
  await Promise.all([
    pipeline(rows, count, upload, { signal: shipment.signal }),
    Promise.race([loaded, failed(upload)]),
  ]);
  const job = await loaded;
  const outputRows = Number(job.metadata?.statistics?.load?.outputRows ?? count.lines);
  if (outputRows !== shipment.total) {
    const text = `BigQuery loaded ${outputRows} rows of ${shipment.total}.`;
    throw new DestinationError('IncompleteRead', text, { final: false });
  }
  shipment.log('INFO', `Loaded ${outputRows} rows, ${count.bytes} bytes`);
  return count.bytes;
}

/** Never resolves: it rejects when the stream fails. */
async function failed(stream: NodeJS.WritableStream): Promise<never> {
  await finished(stream);
  return new Promise(() => {});
}

async function move(
  client: BigQuery,
  shipment: Shipment,
  config: BigQueryTable,
  stage: string,
  fields: readonly FieldValue[],
  existing: readonly string[],
): Promise<void> {
  const columns = fields.map(({ name }) => name);
  const [target, source] = [nameOf(config, config.table_id), nameOf(config, stage)];
  const keys = shipment.model === 'events' ? { key: ['uuid'], newer: [] } : modelKeys[shipment.model];
  if (shipment.model === 'events' && !columns.includes('uuid')) {
    const names = columns.map(quote).join(', ');
    return insertOnce(client, shipment, `INSERT INTO ${target} (${names}) SELECT ${names} FROM ${source}`);
  }
  const within = shipment.model === 'events' && columns.includes('timestamp') ? await timeRange(shipment) : undefined;
  const extra = existing.includes(INGESTED.name) ? { name: INGESTED.name, sql: 'CURRENT_TIMESTAMP()' } : undefined;
  const query = mergeSql({ target, stage: source, columns, ...keys, ...(within && { within }), extra, quote });
  const [job] = await client.createQueryJob({ query, useLegacySql: false });
  await job.promise();
}

/** A partitioned table is read, and paid for, only where the events lie. An event that is there has the same time. */
async function timeRange(shipment: Shipment): Promise<string> {
  const bound = (sql: string) => `formatDateTime(${sql}, '%Y-%m-%d %H:%i:%S.%f', 'UTC')`;
  const stream = await shipment.read({
    select: [
      { name: 'first', sql: bound('min(timestamp)') },
      { name: 'last', sql: bound('max(timestamp)') },
    ],
    format: 'TabSeparated',
  });
  const [line = ''] = await Array.fromAsync(readLines(stream));
  const [first, last] = line.split('\t');
  return `target.\`timestamp\` BETWEEN TIMESTAMP '${first}+00:00' AND TIMESTAMP '${last}+00:00'`;
}

/** BigQuery takes a job's name only once, so a statement that cannot be repeated is given the name of its interval. */
async function insertOnce(client: BigQuery, shipment: Shipment, query: string): Promise<void> {
  const { exportId, interval } = shipment;
  const name = `tenrec_${exportId}_${interval.start?.getTime() ?? 'START'}_${interval.end.getTime()}`;
  for (let attempt = 0; ; attempt++) {
    const jobId = `${name}_${attempt}`;
    try {
      const [job] = await client.createQueryJob({ query, useLegacySql: false, jobId });
      await job.promise();
      return;
    } catch (error) {
      if ((error as { code?: number }).code !== 409) throw error;
      const [{ status }] = await client.job(jobId).getMetadata();
      // An earlier attempt that failed has brought nothing, and its name is used up.
      if (status?.state !== 'DONE')
        throw new DestinationError('ConcurrentRun', 'Another run is bringing these rows', { final: false });
      if (!status.errorResult) return;
    }
  }
}
