// All rows that a recorded batch brings to the event store.
import type { EventRow, RowsByTable } from '../store/tables/rows.ts';
import { personText } from './build-row.ts';
import type { RaisedWarning } from './debounce-warnings.ts';
import type { BatchRecord } from './record-batch.ts';
import type { SettledBatch } from './settle-batch.ts';

export type OtherRows = { [Table in keyof RowsByTable]: RowsByTable[Table][] };

export interface BatchRows {
  events: EventRow[];
  others: OtherRows;
}

export const noRows = (): OtherRows => ({
  person: [],
  person_distinct_id: [],
  person_distinct_id_overrides: [],
  groups: [],
  ingestion_warnings: [],
});

const millis = (micros: number): number => Math.floor(micros / 1_000);

/** `warnings` are those of the settled batch that are told. */
export function toBatchRows(
  { id, inserted_at }: BatchRecord,
  settled: SettledBatch,
  warnings: readonly RaisedWarning[],
): BatchRows {
  const stamp = { inserted_at, created_at: inserted_at, batch_id: id };
  const others = noRows();
  for (const [team_id, { people, groups }] of settled.changes) {
    for (const { uuid, created_at, properties, is_identified, version } of people.persons) {
      const seen = { created_at: millis(created_at), properties: personText(properties), is_identified, version };
      others.person.push({ id: uuid, team_id, is_deleted: false, inserted_at, ...seen });
    }
    for (const { uuid, version } of people.deleted) {
      const gone = { created_at: 0, properties: '{}', is_identified: false, is_deleted: true };
      others.person.push({ id: uuid, team_id, version, inserted_at, ...gone });
    }
    for (const { distinct_id, person_uuid, version } of people.distinct_ids) {
      const row = { team_id, distinct_id, person_id: person_uuid, is_deleted: false, version, inserted_at };
      others.person_distinct_id.push(row);
      if (version > 0) others.person_distinct_id_overrides.push(row);
    }
    for (const { group_type_index, group_key, created_at, properties, version } of groups.groups) {
      const group_properties = personText(properties);
      const group = { group_type_index, group_key, created_at: millis(created_at), group_properties, version };
      others.groups.push({ team_id, inserted_at, ...group });
    }
  }
  for (const { team_id, type, details } of warnings) {
    const told = { source: 'pipeline', type, details: JSON.stringify(details) };
    others.ingestion_warnings.push({ team_id, timestamp: inserted_at, ...told });
  }
  return { events: settled.rows.map((row) => Object.assign(row, stamp)), others };
}
