// Asks ClickHouse on behalf of a caller: what the caller's filters broke is told to the caller.
import { ClickHouseError } from '@clickhouse/client';
import { ApiError, invalid } from '../http/errors.ts';
import type { EventStore } from '../store/open.ts';

export interface Statement {
  text: string;
  params: Readonly<Record<string, unknown>>;
}

/** Some values, such as the members of a cohort, are still being fetched when the statement is printed. */
export async function settled({ text, params }: Statement): Promise<Statement> {
  const entries = Object.entries(params).map(async ([name, value]) => [name, await value] as const);
  return { text, params: Object.fromEntries(await Promise.all(entries)) };
}

/** More than any list of ordinary events; it has to fit into memory twice while the answer is written. */
const ANSWER_BYTES_MAX = 256 * 1024 * 1024;

/** The rows of the answer. 64-bit numbers come as numbers: times and counts are far from where those would round. */
export async function ask<Row>(store: EventStore, { text, params }: Statement): Promise<Row[]> {
  try {
    const result = await store.client.query({
      query: text,
      query_params: { ...params },
      format: 'JSONEachRow',
      clickhouse_settings: {
        max_result_bytes: String(ANSWER_BYTES_MAX),
        output_format_json_quote_64bit_integers: 0,
      },
    });
    return await result.json<Row>();
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The engine's codes for what a caller can mend, and how. */
const refusals: Readonly<Record<string, () => ApiError>> = {
  // CANNOT_COMPILE_REGEXP
  427: () => invalid('A regular expression in the filters is not valid; RE2 syntax is understood.', 'properties'),
  // TOO_MANY_ROWS_OR_BYTES
  396: () => invalid('The answer would be larger than 256 MB; ask for less of it with `limit`.', 'limit'),
  // TIMEOUT_EXCEEDED
  159: () => tooMuch('took too long'),
  // MEMORY_LIMIT_EXCEEDED
  241: () => tooMuch('needed too much memory'),
};

const tooMuch = (what: string) =>
  new ApiError(504, 'server_error', 'query_too_large', `The question ${what}; narrow it by time or by filters.`);

function toRefusal(error: unknown): unknown {
  return (error instanceof ClickHouseError && refusals[error.code]?.()) || error;
}
