// When the data of a model begins, by the ingestion clock.
import type { Statement } from '../../filters/ask.ts';
import { BoundValues } from '../../filters/bound-values.ts';
import type { Selection } from './selection.ts';

/** Answers one row: `micros`, and how many `rows` there are. */
export function earliestStatement({ team_id, model, include, exclude }: Omit<Selection, 'range'>): Statement {
  const bound = new BoundValues();
  const team = `team_id = ${bound.bind('Int64', team_id)}`;
  const earliest = (from: string) =>
    `SELECT toUnixTimestamp64Micro(min(inserted_at)) AS micros, count() AS rows FROM ${from}`;
  if (model === 'persons') {
    const both = ['person', 'person_distinct_id'].map((table) => earliest(`${table} WHERE ${team}`));
    return {
      text: `SELECT minIf(micros, rows > 0) AS micros, sum(rows) AS rows FROM (${both.join(' UNION ALL ')})`,
      params: bound.params,
    };
  }
  const conditions = [
    team,
    ...(include ? [`has(${bound.texts(include)}, event)`] : []),
    ...(exclude ? [`NOT has(${bound.texts(exclude)}, event)`] : []),
  ];
  return { text: earliest(`events WHERE ${conditions.join(' AND ')}`), params: bound.params };
}
