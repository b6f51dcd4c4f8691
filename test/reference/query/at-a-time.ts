/** Does the task for each item, several at a time. The first that fails ends it: what has not begun is not begun any more. */
export async function doEach<Item>(
  items: Iterable<Item>,
  atATime: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  // One iterator for all the loops. A loop that throws closes it, which ends the others.
  const left = one(items);
  const work = async () => {
    for (const item of left) await task(item);
  };
  await Promise.all(Array.from({ length: atATime }, work));
}

function* one<Item>(items: Iterable<Item>): Generator<Item> {
  yield* items;
}
