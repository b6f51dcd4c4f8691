// Event rows as the bytes of an insert, in the order of the table's columns.
import { HOT_PROPERTIES, isCustomPersonProperty, isCustomProperty, PLAIN_PROPERTIES } from './properties.ts';
import { RowBinaryWriter } from './row-binary.ts';
import type { EventRow, JsonRecord, PersonMode } from './rows.ts';

/** The rows as RowBinary, in chunks. */
export function* encodeEvents(rows: Iterable<EventRow>): Generator<Buffer> {
  const writer = new RowBinaryWriter();
  for (const row of rows) {
    writeEvent(writer, row);
    writeProperties(writer, row);
    if (writer.isFull) yield writer.takeChunk();
  }
  yield writer.takeChunk();
}

/** The columns that every event has. */
export function writeEvent(writer: RowBinaryWriter, row: EventRow): void {
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

/** The columns that are filled from the properties. */
function writeProperties(writer: RowBinaryWriter, row: EventRow): void {
  for (const name of PLAIN_PROPERTIES) writer.text(toPlainText(row.parsed[name]));
  for (const name of HOT_PROPERTIES) writer.text(toJsonText(row.parsed[name]));
  writeMap(writer, row.parsed, isCustomProperty);
  writeMap(writer, row.person_parsed, isCustomPersonProperty);
}

function writeMap(writer: RowBinaryWriter, properties: JsonRecord, isKept: (name: string) => boolean): void {
  const countAt = writer.holdCount();
  let count = 0;
  for (const name of Object.keys(properties)) {
    if (!isKept(name)) continue;
    writer.text(name);
    writer.text(toJsonText(properties[name]));
    count += 1;
  }
  writer.setCount(countAt, count);
}

/** The value as JSON; '' for no value. Half a surrogate pair would make it unreadable for the engine. */
function toJsonText(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return JSON.stringify(value.toWellFormed());
  return JSON.stringify(value);
}

/** A string as it is, anything else as JSON; '' for null and for no value. */
function toPlainText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const PERSON_MODES: Readonly<Record<PersonMode, number>> = { full: 0, propertyless: 1, force_upgrade: 2 };

/** What `DateTime64` can show: the years 1900 to 2299, to the last millisecond. */
const CALENDAR_START = Date.UTC(1900, 0, 1) * 1_000;
const CALENDAR_END = (Date.UTC(2300, 0, 1) - 1) * 1_000;

/** The nearest time that the store can hold. */
function withinCalendar(micros: number): number {
  return Math.min(Math.max(micros, CALENDAR_START), CALENDAR_END);
}
