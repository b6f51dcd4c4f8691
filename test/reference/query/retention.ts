// What retention means, said a second time: one actor after the other, slowly, without SQL.
import { parseFilters } from '../../../src/filters/parse.ts';
import { holds } from '../property-filter.ts';
import type { Dataset, RawEvent } from './dataset.ts';
import { dayOf } from './funnel-charts.ts';
import { compareValues, toText } from './funnels.ts';
import { numberOf, propertyOf, sum } from './values.ts';

export interface RetentionEntity {
  event: string | null;
  properties?: readonly object[];
}

export interface RetentionQuestion {
  /** `Hour` only where clocks never change. */
  period: 'Hour' | 'Day' | 'Week' | 'Month';
  /** Both included, `2025-03-01`. */
  from: string;
  to: string;
  columns: number;
  /** How many intervals each column after the first is; one, unless said. */
  brackets?: readonly number[];
  target: RetentionEntity;
  returning: RetentionEntity;
  begins: 'each' | 'first' | 'first_named';
  isCumulative: boolean;
  occurrencesMin: number;
  /** In windows of one length, which begin with the first target event; otherwise by the calendar. */
  isByWindow?: boolean;
  /** A property that is added up over those who came back. */
  amount?: { place: 'event' | 'person'; key: string };
  groupTypeIndex?: number;
  /** Names of event properties. */
  breakdown?: readonly string[];
  valuesMax?: number;
}

/** A table of so many numbers; rows are intervals, columns how much later. */
type Table = number[][];

export interface Returns {
  readonly value: string;
  /** How many came back. */
  readonly table: Table;
  /** The amounts of all of them together. */
  readonly totals: Table;
}

/** Of each value, the greatest first. */
export function countReturns(dataset: Dataset, question: RetentionQuestion): Returns[] {
  const first = ordinal(question.from, 0, question, dataset);
  const rows = ordinal(question.to, 23, question, dataset) - first + 1;
  const at = (event: RawEvent) => ordinalOf(event, question, dataset) - first;
  const tables = new Map<string, Valued>();
  for (const events of byActor(dataset, question).values()) {
    const targets = events.filter((event) => matches(event, question.target));
    const inRange = question.begins === 'each' ? targets.filter((event) => at(event) >= 0) : targets;
    const value = firstValue(inRange, question);
    for (const { start, since } of beginnings(inRange, events, question, at)) {
      if (start < 0 || start >= rows) continue;
      const known = tables.get(JSON.stringify(value)) ?? emptyTables(value, rows, question);
      tables.set(JSON.stringify(value), known);
      const returned = events.filter((event) => matches(event, question.returning) && at(event) >= 0);
      const lagOf = (event: RawEvent) =>
        question.isByWindow
          ? Math.floor((event.micros - since) / (WINDOW_HOURS[question.period] * 3_600e6))
          : at(event) - start;
      const since0 = returned.filter(({ micros }) => micros >= since);
      addActor(known, start, Map.groupBy(since0, lagOf), { dataset, question });
    }
  }
  return rank([...tables.values()], rows, question);
}

const WINDOW_HOURS = { Hour: 1, Day: 24, Week: 168, Month: 720 } as const;

/** Counts one actor in the columns of one row. */
function addActor(
  { table, totals }: Valued,
  row: number,
  byLag: ReadonlyMap<number, readonly RawEvent[]>,
  { dataset, question }: { dataset: Dataset; question: RetentionQuestion },
): void {
  const { amount, occurrencesMin, isCumulative, columns } = question;
  const ends = lastLags(question);
  const often = [...byLag].filter(([, events]) => events.length >= occurrencesMin).map(([lag]) => lag);
  const later = often.filter((lag) => lag > 0 && lag <= ends.at(-1)!);
  for (let column = 0; column < columns; column += 1) {
    const after = later.filter((lag) => lag > (ends[column - 1] ?? 0));
    const within = after.filter((lag) => lag <= ends[column]!);
    if (column > 0 && (isCumulative ? after : within).length === 0) continue;
    table[row]![column]! += 1;
    const events = (column === 0 ? [0] : within).flatMap((lag) => byLag.get(lag) ?? []);
    const amounts = amount ? events.map((event) => numberOf(propertyOf(dataset, event, amount.place, amount.key))) : [];
    totals[row]![column]! += sum(amounts.map((number) => number ?? 0));
  }
}

/** How many intervals later the last one of each column is. */
function lastLags({ brackets, columns }: RetentionQuestion): number[] {
  const lengths = brackets ?? Array.from({ length: columns - 1 }, () => 1);
  return [0, ...lengths].map((_, column) => sum(lengths.slice(0, column)));
}

function byActor({ events }: Dataset, { groupTypeIndex }: RetentionQuestion): Map<string, RawEvent[]> {
  const actor = (event: RawEvent) =>
    groupTypeIndex === undefined ? event.person.uuid : toText(event.properties[`$group_${groupTypeIndex}`]);
  const actors = Map.groupBy(events, actor);
  actors.delete('');
  return actors;
}

const isNamed = (event: RawEvent, { event: name }: RetentionEntity) => name === null || event.event === name;

function matches(event: RawEvent, entity: RetentionEntity): boolean {
  const filter = parseFilters(entity.properties ?? [], { type: 'event', nowMs: 0 });
  return isNamed(event, entity) && holds(filter, ({ key }) => event.properties[key]);
}

interface Beginning {
  /** The interval, counted from the first row. */
  readonly start: number;
  /** The moment of the first target event in it. */
  readonly since: number;
}

function beginnings(
  targets: readonly RawEvent[],
  events: readonly RawEvent[],
  question: RetentionQuestion,
  at: (event: RawEvent) => number,
): Beginning[] {
  const earliest = (some: readonly RawEvent[]) => Math.min(...some.map(({ micros }) => micros));
  if (question.begins === 'each' && !question.isByWindow) {
    return [...Map.groupBy(targets, at)].map(([start, own]) => ({ start, since: earliest(own) }));
  }
  const named = events.filter((event) => isNamed(event, question.target));
  if (question.begins === 'first_named' && earliest(named) !== earliest(targets)) return [];
  const first = targets.find(({ micros }) => micros === earliest(targets));
  return first ? [{ start: at(first), since: first.micros }] : [];
}

/** What the actor's first target event had; of several in one moment, the least. */
function firstValue(targets: readonly RawEvent[], { breakdown = [] }: RetentionQuestion): readonly string[] {
  const earliest = Math.min(...targets.map(({ micros }) => micros));
  const values = targets
    .filter(({ micros }) => micros === earliest)
    .map(({ properties }) => breakdown.map((name) => toText(properties[name])));
  return values.sort(compareValues)[0] ?? [];
}

interface Valued {
  readonly value: readonly string[];
  readonly table: Table;
  readonly totals: Table;
}

const emptyTable = (rows: number, columns: number): Table =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));

const emptyTables = (value: readonly string[], rows: number, { columns }: RetentionQuestion): Valued => ({
  value,
  table: emptyTable(rows, columns),
  totals: emptyTable(rows, columns),
});

function rank(tables: readonly Valued[], rows: number, question: RetentionQuestion): Returns[] {
  const { breakdown, valuesMax = 25 } = question;
  const size = ({ table }: Valued) => sum(table.map((row) => row[0]!));
  const ranked = [...tables].sort((one, other) => size(other) - size(one) || compareValues(one.value, other.value));
  if (!breakdown) return [{ ...(ranked[0] ?? emptyTables([], rows, question)), value: '' }];
  const shown = ranked.slice(0, valuesMax).map((each) => ({
    ...each,
    value: each.value.map((text) => text || '$$_posthog_breakdown_null_$$').join('::'),
  }));
  const rest = ranked.slice(valuesMax);
  if (rest.length === 0) return shown;
  const added = (of: (each: Valued) => Table) =>
    emptyTable(rows, question.columns).map((row, at) =>
      row.map((_, lag) => sum(rest.map((each) => of(each)[at]![lag]!))),
    );
  const other = { table: added(({ table }) => table), totals: added(({ totals }) => totals) };
  return [...shown, { ...other, value: '$$_posthog_breakdown_other_$$' }];
}

/** Intervals numbered without gaps, by the project's clocks. */
function ordinalOf({ micros }: RawEvent, question: RetentionQuestion, dataset: Dataset): number {
  if (question.period === 'Hour') return Math.floor(micros / 3_600e6);
  return ordinal(dayOf(micros, dataset.timezone), 0, question, dataset);
}

function ordinal(day: string, hour: number, { period }: RetentionQuestion, { weekStartDay }: Dataset): number {
  const days = Date.parse(`${day}T00:00:00Z`) / 86_400_000;
  if (period === 'Hour') return days * 24 + hour;
  if (period === 'Day') return days;
  // The first of January 1970 was a Thursday.
  if (period === 'Week') return Math.floor((days + 4 - weekStartDay) / 7);
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
}
