// Event rows as the bytes of an insert: the columns that are given, in the order of the table.
import { RowBinaryWriter } from './row-binary.ts';
import type { EventRow, PersonMode } from './rows.ts';

/** The rows as RowBinary, in chunks. */
export function* encodeEvents(rows: Iterable<EventRow>): Generator<Buffer> {
  const writer = new RowBinaryWriter();
  for (const row of rows) {
    writeEvent(writer, row);
    if (writer.isFull) yield writer.takeChunk();
  }
  yield writer.takeChunk();
}

/** The engine derives the other columns from these. */
function writeEvent(writer: RowBinaryWriter, row: EventRow): void {
  writer.uuid(row.uuid);
  writer.text(row.event);
  writer.text(row.properties);
  writer.text(row.properties_sent);
  writer.int64(withinCalendar(row.timestamp));
  writer.int64(row.team_id);
  writer.text(row.distinct_id);
  writer.text(row.elements_chain);
  writer.int64(withinCalendar(row.created_at));
  writer.uuid(row.person_id);
  writer.int64(row.person_created_at);
  writer.text(row.person_properties);
  writer.uint8(PERSON_MODES[row.person_mode]);
  writer.uint8(row.historical_migration ? 1 : 0);
  writer.int64(row.inserted_at);
  writer.uint32(row.log_partition);
  writer.int64(row.log_position);
  writer.int64(row.batch_id);
}

const PERSON_MODES: Readonly<Record<PersonMode, number>> = { full: 0, propertyless: 1, force_upgrade: 2 };

/** What `DateTime64` can show: the years 1900 to 2299, to the last millisecond. */
const CALENDAR_START = Date.UTC(1900, 0, 1) * 1_000;
const CALENDAR_END = (Date.UTC(2300, 0, 1) - 1) * 1_000;

/** The nearest time that the store can hold. */
function withinCalendar(micros: number): number {
  return Math.min(Math.max(micros, CALENDAR_START), CALENDAR_END);
}
