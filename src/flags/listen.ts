// News from PostgreSQL, on a connection of its own that is opened again whenever it is lost.
import type { Client } from 'pg';
import { connectAlone } from '../metadata/pool.ts';
import type { Logger } from '../platform/logger.ts';

export interface Listener {
  close(): Promise<void>;
}

const RETRY_MS = 500;

export interface Listening {
  url: string;
  channel: string;
  onNews(payload: string): void;
  /** Listening has begun, for the first time or again; whatever was said before went unheard. */
  onConnected(): void;
  log: Logger;
}

/** Resolves when it listens, or when the first attempt failed; then it goes on trying. */
export async function listen({ url, channel, onNews, onConnected, log }: Listening): Promise<Listener> {
  let client: Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function connect(): Promise<void> {
    try {
      const opened = await connectAlone(url);
      if (isClosed) return void (await opened.end());
      client = opened;
      opened.on('notification', ({ payload }) => onNews(payload ?? ''));
      opened.on('end', tryAgain);
      await opened.query(`listen ${channel}`);
      onConnected();
    } catch (error) {
      log.debug({ err: error }, `cannot listen on ${channel}`);
      tryAgain();
    }
  }

  function tryAgain(): void {
    if (isClosed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      void connect();
    }, RETRY_MS);
  }

  await connect();
  return {
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => {});
    },
  };
}
