// What the charts of a funnel show of everybody's trips: counts by step, by day, and by how long it took.
import type { Dataset } from './dataset.ts';
import { compareValues, type Deed, type FunnelQuestion, inOrder, listJourneys, type Trip, walk } from './funnels.ts';

export interface StepCount {
  count: number;
  average: number | null;
  median: number | null;
}

/** For each value, the greatest first, the counts of all steps; `Other` last. */
export function countSteps(
  trips: readonly Trip[],
  question: FunnelQuestion,
): { value: readonly string[]; steps: StepCount[] }[] {
  const byValue = new Map<string, Trip[]>();
  for (const trip of trips) {
    const key = JSON.stringify(trip.value);
    byValue.set(key, [...(byValue.get(key) ?? []), trip]);
  }
  const ranked = [...byValue.values()].sort(
    (one, other) => other.length - one.length || compareValues(one[0]!.value, other[0]!.value),
  );
  const max = question.valuesMax ?? 25;
  const shown = ranked.slice(0, max).map((some) => ({ value: some[0]!.value, some }));
  const rest = ranked.slice(max).flat();
  const groups = rest.length > 0 ? [...shown, { value: ['Other'], some: rest }] : shown;
  return groups.map(({ value, some }) => ({
    value,
    steps: question.steps.map((_, step) => {
      const reached = some.filter(({ times }) => did(times, step));
      const required = question.steps.slice(0, step).findLastIndex(({ optional }) => !optional);
      const took = step === 0 ? [] : reached.map(({ times }) => times[step]! - times[required]!);
      return { count: reached.length, average: average(took), median: median(took) };
    }),
  }));
}

const did = (times: readonly number[], step: number): boolean => (times[step] ?? 0) > 0;

/** Seconds of microseconds. */
export function average(micros: readonly number[]): number | null {
  return micros.length === 0 ? null : micros.reduce((sum, each) => sum + each, 0) / micros.length / 1e6;
}

export function median(micros: readonly number[]): number | null {
  if (micros.length === 0) return null;
  const sorted = [...micros].sort((one, other) => one - other);
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)]!, sorted[Math.ceil((sorted.length - 1) / 2)]!];
  return (low + (high - low) * 0.5) / 1e6;
}

/** The day by the project's clocks, `2025-03-01`. */
export const dayOf = (micros: number, timezone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    Math.floor(micros / 1_000),
  );

/** For each value and day: of those who began something that day, the percentage who went on to the end with it. */
export function countTrends(
  dataset: Dataset,
  question: FunnelQuestion,
  fromStep: number,
  toStep: number,
): { value: readonly string[]; data: Record<string, number> }[] {
  const counts = new Map<
    string,
    { value: readonly string[]; days: Map<string, { entered: number; converted: number }> }
  >();
  for (const { value, deeds } of listJourneys(dataset, question)) {
    const begins = ({ steps }: Deed) => (question.order === 'unordered' ? steps.includes(true) : steps[0] === true);
    const day = (micros: number) => dayOf(micros, dataset.timezone);
    for (const begun of new Set(deeds.filter(begins).map(({ micros }) => day(micros)))) {
      const since = deeds.filter(({ micros }) => day(micros) >= begun);
      const own = since.map((deed) =>
        day(deed.micros) === begun || question.order === 'unordered'
          ? deed
          : { ...deed, steps: deed.steps.map((is, step) => is && step > 0) },
      );
      const times = walk(inOrder(own), question, (micros) => day(micros) === begun);
      const ofValue = counts.get(JSON.stringify(value)) ?? { value, days: new Map() };
      const ofDay = ofValue.days.get(begun) ?? { entered: 0, converted: 0 };
      ofValue.days.set(begun, {
        entered: ofDay.entered + (did(times, fromStep) ? 1 : 0),
        converted: ofDay.converted + (did(times, fromStep) && did(times, toStep) ? 1 : 0),
      });
      counts.set(JSON.stringify(value), ofValue);
    }
  }
  return [...counts.values()].map(({ value, days }) => ({
    value,
    data: Object.fromEntries(
      [...days]
        .filter(([, { converted }]) => converted > 0)
        .map(([day, { entered, converted }]) => [day, Math.round((converted / entered) * 10_000) / 100]),
    ),
  }));
}

/** The histogram of how long people took, as the wire has it. */
export function countTimes(trips: readonly Trip[], fromStep: number, toStep: number, binCount?: number) {
  const took = trips.flatMap(({ times }) =>
    did(times, fromStep) && did(times, toStep) ? [times[toStep]! - times[fromStep]!] : [],
  );
  if (took.length === 0) return { average_conversion_time: null, median_conversion_time: null, bins: [] };
  const bins = binCount
    ? Math.min(Math.max(binCount, 1), 90)
    : Math.min(Math.max(Math.ceil(Math.cbrt(took.length)), 1), 60);
  const low = Math.floor(Math.min(...took) / 1e6);
  const high = Math.ceil(Math.max(...took) / 1e6);
  const width = high === low ? 60 : Math.ceil((high - low) / bins);
  const starts = Array.from({ length: bins + 1 }, (_, bin) => low + bin * width);
  return {
    average_conversion_time: average(took),
    median_conversion_time: median(took),
    bins: starts.map((start) => [
      start,
      took.filter((each) => each >= start * 1e6 && each < (start + width) * 1e6).length,
    ]),
  };
}
