// The points of a chart as the reader's language writes days and hours.
import type { TrendItem } from '../query/results.ts';

/** As the API writes them: in the project's time zone, without naming it. */
const DAY = /^\d{4}-\d\d-\d\d$/;
const MOMENT = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/;

const toDate = (text: string): Date | undefined => {
  if (DAY.test(text)) return new Date(`${text}T00:00Z`);
  const [, day, time] = MOMENT.exec(text) ?? [];
  return day === undefined ? undefined : new Date(`${day}T${time}Z`);
};

/** What is not a point in time keeps the API's words. */
export function pointLabels({ days = [], labels = [] }: Pick<TrendItem, 'days' | 'labels'>, locale?: string): string[] {
  const dates = days.map((day) => (typeof day === 'string' ? toDate(day) : undefined));
  if (dates.length === 0 || dates.includes(undefined)) return labels;
  const all = dates as Date[];
  const isOneYear = all.every((date) => date.getUTCFullYear() === all[0]?.getUTCFullYear());
  const hasTime = days.some((day) => MOMENT.test(String(day)) && !/[ T]00:00/.test(String(day)));
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'short',
    ...(!isOneYear && { year: 'numeric' }),
    ...(hasTime && { hour: '2-digit', minute: '2-digit' }),
  });
  return all.map((date) => format.format(date));
}
