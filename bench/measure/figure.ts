/** One measured number. */
export interface Figure {
  name: string;
  value: number;
  unit: string;
  /** The most, or the least, it may be; without either the number is only shown. */
  max?: number;
  min?: number;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
