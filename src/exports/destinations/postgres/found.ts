import type { Client } from 'pg';
import type { Target } from './table.ts';

/** As many uuids as one question is about. */
const ASKED_AT_ONCE = 10_000;

type Connect = <T>(run: (client: Client) => Promise<T>) => Promise<T>;

/** Which of the expected uuids the table holds, each as often as it does. */
export async function* findRows(
  expected: AsyncIterable<string>,
  connect: Connect,
  target: Target,
): AsyncGenerator<string> {
  let asked: string[] = [];
  for await (const uuid of expected) {
    asked.push(uuid);
    if (asked.length < ASKED_AT_ONCE) continue;
    yield* await ask(connect, target, asked);
    asked = [];
  }
  if (asked.length > 0) yield* await ask(connect, target, asked);
}

function ask(connect: Connect, target: Target, uuids: readonly string[]): Promise<string[]> {
  return connect(async (client) => {
    const { rows } = await client.query<{ uuid: string }>(
      `SELECT uuid::text FROM ${target.quoted} AS target WHERE target.uuid::text = ANY($1::text[])`,
      [uuids],
    );
    return rows.map(({ uuid }) => uuid);
  });
}
