// Prints the description as statements: for one machine, and for a cluster.
import { type Column, type Part, quoteName, quoteText, type Table } from './description.ts';

/**
 * How many inserts a table remembers by their token. A pipeline repeats only the last batch of each partition of the
 * log, so this allows for thousands of other batches between a lost answer and the repetition.
 */
const REMEMBERED_INSERTS = 10_000;
/** Reckoned from the latest insert, so that a pause does not use it up. */
const REMEMBERED_SECONDS = 30 * 86_400;

/** Where a name stands for a table on this machine alone, not for all of the cluster. */
export const shardName = (name: string): string => `${name}_shard`;

/** The statements for one machine, each safe to run again. */
export function printForOne(parts: readonly Part[]): string[] {
  return parts.map(printPart);
}

/**
 * The statements for a cluster, run once on any of its machines. Every table is a replicated one on each machine and a
 * distributed one in front, which bears the plain name: who asks and who inserts need not know. The machines' macros
 * `{shard}` and `{replica}` tell the replicas apart.
 */
export function printForCluster(parts: readonly Part[], cluster: string): string[] {
  return parts.flatMap((part) => printClusterPart(part, cluster));
}

function printPart(part: Part): string {
  switch (part.kind) {
    case 'table':
      return printTable(part, {
        name: part.name,
        where: '',
        engine: engineCall(part.engine, part.version ? [part.version] : []),
        settings: { non_replicated_deduplication_window: REMEMBERED_INSERTS, ...part.settings },
      });
    case 'feed':
      return `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part.name} TO ${part.to} AS\n${part.select(part.from)}`;
    case 'view':
      return `CREATE VIEW IF NOT EXISTS ${part.name} AS\n${part.select}`;
  }
}

function printClusterPart(part: Part, cluster: string): string[] {
  const where = ` ON CLUSTER ${quoteText(cluster)}`;
  switch (part.kind) {
    case 'table':
      return [printShard(part, where), printDistributed(part, where, cluster)];
    case 'feed': {
      const head = `CREATE MATERIALIZED VIEW IF NOT EXISTS ${part.name}${where} TO ${shardName(part.to)}`;
      return [`${head} AS\n${part.select(shardName(part.from))}`];
    }
    case 'view':
      return [`CREATE VIEW IF NOT EXISTS ${part.name}${where} AS\n${part.select}`];
  }
}

function printShard(table: Table, where: string): string {
  const place = [`'/clickhouse/tables/{shard}/{database}/${table.name}'`, `'{replica}'`];
  return printTable(table, {
    name: shardName(table.name),
    where,
    engine: engineCall(`Replicated${table.engine}`, [...place, ...(table.version ? [table.version] : [])]),
    settings: {
      replicated_deduplication_window: REMEMBERED_INSERTS,
      replicated_deduplication_window_seconds: REMEMBERED_SECONDS,
      ...table.settings,
    },
  });
}

function printDistributed(table: Table, where: string, cluster: string): string {
  const engine = engineCall('Distributed', [
    quoteText(cluster),
    'currentDatabase()',
    quoteText(shardName(table.name)),
    table.shardBy,
  ]);
  return `CREATE TABLE IF NOT EXISTS ${table.name}${where}\n(\n${printColumns(table.columns)}\n)\nENGINE = ${engine}`;
}

interface Placed {
  name: string;
  where: string;
  engine: string;
  settings: Readonly<Record<string, number | string>>;
}

function printTable(table: Table, { name, where, engine, settings }: Placed): string {
  const indexes = (table.indexes ?? []).map(
    (index) => `  INDEX ${index.name} ${index.expression} TYPE ${index.type} GRANULARITY 1`,
  );
  const lines = [
    `CREATE TABLE IF NOT EXISTS ${name}${where}`,
    '(',
    [printColumns(table.columns), ...indexes].join(',\n'),
    ')',
    `ENGINE = ${engine}`,
    table.partitionBy && `PARTITION BY ${table.partitionBy}`,
    `ORDER BY (${table.orderBy.join(', ')})`,
    table.sampleBy && `SAMPLE BY ${table.sampleBy}`,
    table.ttl && `TTL ${table.ttl}`,
    `SETTINGS ${Object.entries(settings)
      .map(([setting, value]) => `${setting} = ${typeof value === 'number' ? value : quoteText(value)}`)
      .join(', ')}`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}

function printColumns(columns: readonly Column[]): string {
  return columns
    .map(({ name, type, codec, derived }) => {
      const how = derived ? ` MATERIALIZED ${derived}` : '';
      return `  ${quoteName(name)} ${type}${how}${codec ? ` CODEC(${codec})` : ''}`;
    })
    .join(',\n');
}

const engineCall = (engine: string, args: readonly string[]): string => `${engine}(${args.join(', ')})`;
