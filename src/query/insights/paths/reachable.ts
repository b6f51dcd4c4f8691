/** The edges that can be reached from where a path begins, in the order given. The others' beginnings were cut off. */
export function keepReachable<Edge extends { readonly source: string; readonly target: string }>(
  edges: readonly Edge[],
): Edge[] {
  const next = Map.groupBy(edges, ({ source }) => source);
  const reached = new Set<string>();
  const waiting = [...next.keys()].filter((source) => source.startsWith('1_'));
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (reached.has(place)) continue;
    reached.add(place);
    for (const { target } of next.get(place) ?? []) waiting.push(target);
  }
  return edges.filter(({ source }) => reached.has(source));
}
