// Small questions that many of the promises ask.
import type { ClickHouseClient } from '@clickhouse/client';

/** The rows of a statement, as arrays of values. */
export async function askRows(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<unknown[][]> {
  const result = await client.query({ query, query_params, format: 'JSONCompactEachRow' });
  return result.json<unknown[]>();
}

/** The one value that a statement answers. */
export async function askOne(
  client: ClickHouseClient,
  query: string,
  query_params: Record<string, unknown> = {},
): Promise<unknown> {
  const [row] = await askRows(client, query, query_params);
  return row?.[0];
}

const GIVE_UP_MS = 30_000;

/** Asks again until the answer is yes; a promise about the near future, without a guess how near. */
export async function eventually(holds: () => Promise<boolean>, what: string): Promise<void> {
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`did not happen within ${GIVE_UP_MS} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
