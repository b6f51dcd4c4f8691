import type { Merging } from '../postgres/ship.ts';
import { quote } from '../postgres/table.ts';

/** Redshift does not know `ON CONFLICT`, and does not enforce keys: what is older is deleted, what is missing inserted. */
export function mergeStatements({ target, stage, columns, key, newer }: Merging): string[] {
  const names = columns.map(quote).join(', ');
  const same = key.map((name) => `${target}.${quote(name)} = ${stage}.${quote(name)}`).join(' AND ');
  const isNewer = newer.map((name) => `${stage}.${quote(name)} > ${target}.${quote(name)}`).join(' OR ');
  const latest = `row_number() OVER (PARTITION BY ${key.map(quote).join(', ')} ORDER BY ${newer
    .map((name) => `${quote(name)} DESC`)
    .join(', ')})`;
  return [
    `DELETE FROM ${target} USING ${stage} WHERE ${same} AND (${isNewer})`,
    `INSERT INTO ${target} (${names})
     SELECT ${names} FROM (SELECT ${names}, ${latest} AS "latest" FROM ${stage}) AS ranked
      WHERE "latest" = 1
        AND NOT EXISTS (SELECT 1 FROM ${target} WHERE ${same.replaceAll(`${stage}.`, 'ranked.')})`,
  ];
}
