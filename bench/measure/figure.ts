/** One measured number. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The most it may be; without it the number is only shown. */
  max?: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
