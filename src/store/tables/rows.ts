// What is inserted into each table. Times are whole numbers since 1970, in the unit that the column keeps.

/** Microseconds since 1970. */
export type Micros = number;
/** Milliseconds since 1970. */
export type Millis = number;
/** JSON text; bytes are stored as they are. */
export type JsonText = string | Uint8Array;

export type PersonMode = 'full' | 'propertyless' | 'force_upgrade';

export interface EventRow {
  uuid: string;
  event: string;
  /** JSON of an object that the engine can parse: `toReadableJson` of what was sent. */
  properties: JsonText;
  /** What was sent, when it is not the same; otherwise ''. */
  properties_sent: JsonText;
  timestamp: Micros;
  team_id: number;
  distinct_id: string;
  elements_chain: string;
  created_at: Micros;
  person_id: string;
  person_created_at: Millis;
  person_properties: JsonText;
  person_mode: PersonMode;
  historical_migration: boolean;
  /** The same for all rows of a recorded batch. */
  inserted_at: Micros;
  log_partition: number;
  log_position: number;
  batch_id: number;
}

export interface PersonRow {
  id: string;
  created_at: Millis;
  team_id: number;
  properties: string;
  is_identified: boolean;
  is_deleted: boolean;
  version: number;
  inserted_at: Micros;
}

export interface PersonDistinctIdRow {
  team_id: number;
  distinct_id: string;
  person_id: string;
  is_deleted: boolean;
  version: number;
  inserted_at: Micros;
}

export interface GroupRow {
  group_type_index: number;
  group_key: string;
  created_at: Millis;
  team_id: number;
  group_properties: string;
  version: number;
  inserted_at: Micros;
}

export interface IngestionWarningRow {
  team_id: number;
  source: string;
  type: string;
  details: string;
  timestamp: Micros;
}

/** The tables that are written by row, other than `events`. */
export interface RowsByTable {
  person: PersonRow;
  person_distinct_id: PersonDistinctIdRow;
  person_distinct_id_overrides: PersonDistinctIdRow;
  groups: GroupRow;
  ingestion_warnings: IngestionWarningRow;
}
