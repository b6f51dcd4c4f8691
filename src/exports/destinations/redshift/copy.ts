// Rows into Redshift by COPY: Parquet files in the user's own bucket, which Redshift reads, and which are then removed.
import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { NetworkGuard } from '../../network/guard.ts';
import { ConfigMistake, type Shipment } from '../destination.ts';
import { fileReading } from '../files/format.ts';
import type { FileStore } from '../files/store.ts';
import type { Part } from '../outside.ts';
import type { TableColumn } from '../postgres/layout.ts';
import type { Loaded } from '../postgres/ship.ts';
import { namesOf } from '../postgres/table.ts';
import { openClient } from '../s3/client.ts';
import { openBucket } from '../s3/store.ts';

interface Keys {
  readonly aws_access_key_id: string;
  readonly aws_secret_access_key: string;
}

export interface CopyInputs {
  readonly s3_bucket: string;
  readonly region_name: string;
  readonly s3_key_prefix?: string;
  /** How Redshift reads the files: a role, `default`, or keys. */
  readonly authorization: string | Keys;
  /** How we write them. */
  readonly bucket_credentials: Keys;
}

/** The wire's checks, in its order. */
export function checkCopyInputs(given: unknown): void {
  if (!isFilled(given)) throw new ConfigMistake("Missing required inputs for 'COPY'");
  const inputs = given as Record<string, unknown>;
  const names = ['s3_bucket', 'region_name', 'authorization', 'bucket_credentials'];
  if (names.some((name) => inputs[name] === undefined || inputs[name] === null)) {
    throw new ConfigMistake("Missing required input for 'COPY'");
  }
  if (!hasKeys(inputs.bucket_credentials)) throw new ConfigMistake("Missing required bucket credentials for 'COPY'");
  if (typeof inputs.authorization === 'string') {
    if (inputs.authorization.trim() === '') throw new ConfigMistake("Missing required IAM role for 'COPY'");
  } else if (!hasKeys(inputs.authorization)) throw new ConfigMistake("Missing required credentials for 'COPY'");
}

const isFilled = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;
const hasKeys = (value: unknown): boolean =>
  isFilled(value) &&
  ['aws_access_key_id', 'aws_secret_access_key'].every((name) => (value as Record<string, unknown>)[name]);

export interface CopyContext {
  readonly inputs: CopyInputs;
  readonly guard: NetworkGuard;
  /** Redshift reads from Amazon's own S3 only; a test, which has no Redshift, writes elsewhere. */
  readonly endpoint: string | null;
}

export async function copyRows(
  client: Client,
  table: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  part: Part,
  context: CopyContext,
): Promise<Loaded> {
  const { inputs } = context;
  const store = await openStore(context, shipment.signal);
  // Two attempts at the same run must not read each other's files.
  const folder = `${trimmed(inputs.s3_key_prefix ?? '/')}tenrec-${shipment.runId}-${randomUUID()}`;
  const [key, manifest] = [`${folder}/rows.parquet.zst`, `${folder}/manifest.json`];
  try {
    const bytes = await writeRows(store, key, columns, shipment, part);
    const entries = [{ url: `s3://${inputs.s3_bucket}/${key}`, mandatory: true, meta: { content_length: bytes } }];
    await writeWhole(store, manifest, JSON.stringify({ entries }));
    await client.query(copyStatement(table, columns, `s3://${inputs.s3_bucket}/${manifest}`, inputs));
    const { rows } = await client.query<{ n: string }>('SELECT pg_last_copy_count() AS n');
    return { rows: Number(rows[0]?.n), bytes };
  } finally {
    for (const written of [key, manifest]) await store.remove(written).catch(() => {});
    store.close();
  }
}

export function copyStatement(
  table: string,
  columns: readonly TableColumn[],
  manifest: string,
  { authorization, region_name }: Pick<CopyInputs, 'authorization' | 'region_name'>,
): string {
  const access =
    typeof authorization !== 'string'
      ? `ACCESS_KEY_ID ${literal(authorization.aws_access_key_id)} SECRET_ACCESS_KEY ${literal(authorization.aws_secret_access_key)}`
      : authorization === 'default'
        ? 'IAM_ROLE default'
        : `IAM_ROLE ${literal(authorization)}`;
  // Nested text is parsed only where a column is SUPER, and Redshift refuses the option where none is.
  const nested = columns.some(({ type }) => type === 'SUPER') ? ' SERIALIZETOJSON' : '';
  return `COPY ${table} (${namesOf(columns)}) FROM ${literal(manifest)} ${access} REGION ${literal(region_name)} MANIFEST FORMAT AS PARQUET${nested}`;
}

/** Redshift understands backslashes in texts, also where PostgreSQL no longer does. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const trimmed = (prefix: string): string => {
  const bare = prefix.replace(/^\/+/, '');
  return bare === '' || bare.endsWith('/') ? bare : `${bare}/`;
};

async function openStore(
  { inputs, guard, endpoint: endpoint_url }: CopyContext,
  signal: AbortSignal,
): Promise<FileStore> {
  const { client, endpoint } = await openClient(
    {
      ...inputs.bucket_credentials,
      region: inputs.region_name,
      endpoint_url,
      use_virtual_style_addressing: false,
    },
    guard,
  );
  return openBucket({ client, name: inputs.s3_bucket, encryption: {}, signal }, endpoint);
}

async function writeRows(
  store: FileStore,
  key: string,
  columns: readonly TableColumn[],
  shipment: Shipment,
  part: Part,
): Promise<number> {
  const { format, settings } = fileReading([], 'Parquet', 'zstd');
  const rows = await shipment.read({
    select: columns.map(({ name, sql }) => ({ name, sql })),
    ...part,
    format,
    settings,
  });
  const file = store.create(key);
  let bytes = 0;
  try {
    await file.write(rows, (safe) => {
      bytes = safe;
      shipment.progress({ records: 0, bytes });
    });
    await file.publish();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return bytes;
}

async function writeWhole(store: FileStore, key: string, text: string): Promise<void> {
  const file = store.create(key);
  await file.write(chunkOf(text), () => {});
  await file.publish();
}

async function* chunkOf(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}
