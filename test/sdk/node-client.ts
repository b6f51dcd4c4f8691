// A posthog-node client for a while, as programs use one.
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { PostHog, type PostHogOptions } from 'posthog-node';
import type { WholeProgram } from './stored.ts';

/** A client must be told of a failure quickly, or a test waits for seconds. */
export const QUICKLY = { fetchRetryDelay: 20 };

/** Lets the client work, ends it as programs do, and fails if it complained of anything. */
export async function useClient(
  program: WholeProgram,
  use: (client: PostHog) => unknown,
  options: PostHogOptions = {},
): Promise<void> {
  const complaints: string[] = [];
  const logged = mock.method(console, 'error', (...words: unknown[]) => void complaints.push(words.join(' ')));
  const client = new PostHog(program.token, { host: program.url, ...options });
  client.on('error', (error) => void complaints.push(String(error)));
  try {
    await use(client);
    await client.shutdown();
  } finally {
    logged.mock.restore();
  }
  assert.deepEqual(complaints, []);
}

export const names = (events: readonly { event: string }[]) => events.map(({ event }) => event);
