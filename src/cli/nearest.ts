/** The candidate that was probably meant: the one fewest typing mistakes away, if few enough. */
export function findNearest(typed: string, candidates: Iterable<string>): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    // The beginning of a longer word is a likely slip too: `--organ` for `--organization`.
    const distance = typed.length >= 3 && candidate.startsWith(typed) ? 1 : countSlips(typed, candidate);
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(typed.length / 3)) ? best.candidate : undefined;
}

/** Letters left out, added, mistaken, or two neighbours swapped: how many such slips lead from one word to the other. */
export function countSlips(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const mistaken = from[row - 1] === to[column - 1] ? 0 : 1;
      const ways = [last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + mistaken];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) ways.push(beforeLast[column - 2]! + 1);
      current.push(Math.min(...ways));
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
