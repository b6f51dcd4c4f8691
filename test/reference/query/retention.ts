// What retention means, said a second time: one actor after the other, slowly, without SQL.
import { parseFilters } from '../../../src/filters/parse.ts';
import { holds } from '../property-filter.ts';
import type { Dataset, RawEvent } from './dataset.ts';
import { dayOf } from './funnel-charts.ts';
import { compareValues, toText } from './funnels.ts';

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
  groupTypeIndex?: number;
  /** Names of event properties. */
  breakdown?: readonly string[];
  valuesMax?: number;
}

/** Of each value, the greatest first, the table: rows of intervals, columns of how many came back. */
export function countReturns(dataset: Dataset, question: RetentionQuestion): { value: string; table: number[][] }[] {
  const first = ordinal(question.from, 0, question, dataset);
  const rows = ordinal(question.to, 23, question, dataset) - first + 1;
  const lengths = question.brackets ?? Array.from({ length: question.columns - 1 }, () => 1);
  // How many intervals later the last one of each column is.
  const ends = [0, ...lengths].map((_, column, all) => all.slice(1, column + 1).reduce((sum, each) => sum + each, 0));
  const tables = new Map<string, { value: readonly string[]; table: number[][] }>();
  for (const events of byActor(dataset, question).values()) {
    const at = (event: RawEvent) => ordinalOf(event, question, dataset) - first;
    const targets = events.filter((event) => matches(event, question.target) && at(event) < rows + ends.at(-1)!);
    const begun = beginnings(targets, events, question);
    const starts = new Set(begun.map(at).filter((start) => start >= 0 && start < rows));
    const returned = countBy(events.filter((event) => matches(event, question.returning)).map(at));
    const returns = [...returned].filter(([, times]) => times >= question.occurrencesMin).map(([interval]) => interval);
    const value = firstValue(
      question.begins === 'each' ? targets.filter((event) => at(event) >= 0) : targets,
      question,
    );
    for (const start of starts) {
      const known = tables.get(JSON.stringify(value)) ?? { value, table: emptyTable(rows, question.columns) };
      tables.set(JSON.stringify(value), known);
      for (let column = 0; column < question.columns; column += 1) {
        const later = returns.map((interval) => interval - start).filter((lag) => lag > 0 && lag <= ends.at(-1)!);
        const isAfter = (lag: number) => lag > (ends[column - 1] ?? 0);
        const counts =
          column === 0 || later.some((lag) => isAfter(lag) && (question.isCumulative || lag <= ends[column]!));
        if (counts) known.table[start]![column]! += 1;
      }
    }
  }
  return rank([...tables.values()], rows, question);
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

function beginnings(
  targets: readonly RawEvent[],
  events: readonly RawEvent[],
  question: RetentionQuestion,
): RawEvent[] {
  if (question.begins === 'each') return [...targets];
  const earliest = (some: readonly RawEvent[]) => Math.min(...some.map(({ micros }) => micros));
  const named = events.filter((event) => isNamed(event, question.target));
  if (question.begins === 'first_named' && earliest(named) !== earliest(targets)) return [];
  return targets.filter(({ micros }) => micros === earliest(targets));
}

/** What the actor's first target event had; of several in one moment, the least. */
function firstValue(targets: readonly RawEvent[], { breakdown = [] }: RetentionQuestion): readonly string[] {
  const earliest = Math.min(...targets.map(({ micros }) => micros));
  const values = targets
    .filter(({ micros }) => micros === earliest)
    .map(({ properties }) => breakdown.map((name) => toText(properties[name])));
  return values.sort(compareValues)[0] ?? [];
}

function countBy(intervals: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const interval of intervals) counts.set(interval, (counts.get(interval) ?? 0) + 1);
  return counts;
}

const emptyTable = (rows: number, columns: number) =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => 0));

function rank(
  tables: readonly { value: readonly string[]; table: number[][] }[],
  rows: number,
  { breakdown, valuesMax = 25, columns }: RetentionQuestion,
) {
  const size = ({ table }: { table: number[][] }) => table.reduce((sum, row) => sum + row[0]!, 0);
  const ranked = [...tables].sort((one, other) => size(other) - size(one) || compareValues(one.value, other.value));
  if (!breakdown) return [{ value: '', table: ranked[0]?.table ?? emptyTable(rows, columns) }];
  const shown = ranked.slice(0, valuesMax).map(({ value, table }) => ({
    value: value.map((text) => text || '$$_posthog_breakdown_null_$$').join('::'),
    table,
  }));
  const rest = ranked.slice(valuesMax);
  if (rest.length === 0) return shown;
  const sum = emptyTable(rows, columns).map((row, at) =>
    row.map((_, lag) => rest.reduce((total, { table }) => total + table[at]![lag]!, 0)),
  );
  return [...shown, { value: '$$_posthog_breakdown_other_$$', table: sum }];
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
