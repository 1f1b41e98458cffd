// Median and spread of numbers.

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return Number.NaN;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** @returns `least-most` */
export function spread(values: readonly number[], show: (value: number) => string): string {
  return values.length === 0 ? '' : `${show(Math.min(...values))}-${show(Math.max(...values))}`;
}
