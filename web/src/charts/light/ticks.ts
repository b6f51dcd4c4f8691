// Marks of an axis at numbers that people would choose.

const MARKS_WANTED = 5;
const STEPS = [1, 2, 3, 5, 10];

/** The least of 1, 2, 3, 5 and their tens that is enough. */
function niceStep(least: number): number {
  const size = 10 ** Math.floor(Math.log10(least));
  const step = STEPS.find((each) => each * size >= least * (1 - 1e-9)) ?? 10;
  return step * size;
}

/** From the lowest to the highest, both beyond every value; `isWhole` when half a mark would mean nothing. */
export function ticksOf(values: Iterable<number>, isWhole = false): number[] {
  let [low, high] = [0, 0];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  if (low === high) high = 1;
  const wanted = niceStep((high - low) / MARKS_WANTED);
  const step = isWhole ? Math.max(1, wanted) : wanted;
  const [from, to] = [Math.floor(low / step), Math.ceil(high / step - 1e-9)];
  // Multiplied rather than added up: sums of tenths end in digits that nobody meant.
  return Array.from({ length: to - from + 1 }, (_, index) => Number(((from + index) * step).toPrecision(12)));
}
