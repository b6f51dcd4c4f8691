/** Few enough for the limits of every warehouse, many enough that asking pays. */
const IDS_AT_ONCE = 10_000;

/** Which of the expected ids a table holds, each as often as it does, for one that can only be asked about some at a time. */
export async function* findInTurns(
  expected: AsyncIterable<string>,
  ask: (ids: readonly string[]) => Promise<readonly string[]>,
): AsyncGenerator<string> {
  let ids: string[] = [];
  for await (const id of expected) {
    ids.push(id);
    if (ids.length < IDS_AT_ONCE) continue;
    yield* await ask(ids);
    ids = [];
  }
  if (ids.length > 0) yield* await ask(ids);
}
