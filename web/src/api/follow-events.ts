// Accepted events as they come: one line of JSON each, for as long as somebody watches.
import { ApiError } from './client.ts';
import { projectPath } from './use-project.ts';

export type TailLine =
  | {
      kind: 'event';
      accepted_at: string;
      event: string;
      distinct_id: string;
      uuid: string;
      fate: 'stored' | 'dropped' | 'waiting';
      reason: string | null;
    }
  | {
      kind: 'left_out';
      accepted_at: string;
      reason: string;
      count: number;
      event: string | null;
      distinct_id: string | null;
    }
  | { kind: 'passed_over'; count: number }
  | { kind: 'idle' };

const AGAIN_MS = 2_000;

/** Calls `onLine` for every line until the signal is aborted; a connection that breaks is made again. */
export async function followEvents(
  projectId: number,
  signal: AbortSignal,
  onLine: (line: TailLine) => void,
  onConnection: (isConnected: boolean) => void = () => {},
): Promise<void> {
  while (!signal.aborted) {
    try {
      await readTail(projectId, signal, onLine, onConnection);
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) throw error;
    }
    if (signal.aborted) return;
    onConnection(false);
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

async function readTail(
  projectId: number,
  signal: AbortSignal,
  onLine: (line: TailLine) => void,
  onConnection: (isConnected: boolean) => void,
): Promise<void> {
  const response = await fetch(projectPath(projectId, '/ingestion/tail/'), { signal });
  if (!response.ok || !response.body)
    throw new ApiError(response.status, 'error', `The server answered ${response.status}.`);
  onConnection(true);
  let rest = '';
  for await (const text of readChunks(response.body.pipeThrough(new TextDecoderStream()))) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') onLine(JSON.parse(line) as TailLine);
  }
}

/** Not every browser can walk a stream by itself. */
async function* readChunks(stream: ReadableStream<string>): AsyncGenerator<string> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
