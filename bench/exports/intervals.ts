// Five hours hold a fifth of the events each; the interval of all five holds all of them.

const HOUR_MS = 3_600_000;
const FIRST = Date.UTC(2025, 2, 4, 9);
const HOURS = 5;

export interface Interval {
  start: number;
  end: number;
}

const from = (hour: number, hours: number): Interval => ({
  start: FIRST + hour * HOUR_MS,
  end: FIRST + (hour + hours) * HOUR_MS,
});

export const FIFTHS = Array.from({ length: HOURS }, (_, hour) => from(hour, 1));
export const ALL = from(0, HOURS);
