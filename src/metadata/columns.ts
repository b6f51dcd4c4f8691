// Types of columns that every feature's tables have.
import type { ColumnType, Generated } from 'kysely';

/** ISO 8601 in UTC with microseconds: `2025-02-03T10:11:12.345678Z`. */
export type Timestamp = string;
export type Now = Generated<Timestamp>;
/** Written as JSON text, read back parsed. */
export type Json<T> = ColumnType<T, string | undefined, string>;
