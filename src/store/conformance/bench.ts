// What every promise is checked on.
import type { ClickHouseClient } from '@clickhouse/client';
import type { EventStore } from '../open.ts';

export interface Bench {
  store: EventStore;
  /** Works in a database that is this run's own and gone afterwards. */
  client: ClickHouseClient;
  database: string;
}

/** States one promise and how it is checked. */
export type Promises = (title: string, check: (bench: Bench) => Promise<void>) => void;

export interface ConformanceOptions {
  /** Bytes of the result that must pass through without being kept. */
  longResultBytes: number;
}
