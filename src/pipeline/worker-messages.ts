// What the program and the pipeline's thread say to each other.
import type { Config } from '../config.ts';
import type { StoreAddress } from '../store/open.ts';
import type { CityDatabase } from './geoip.ts';
import type { PipelineStats } from './run.ts';

export type WorkerConfig = Pick<
  Config,
  | 'TENREC_DATA'
  | 'TENREC_LOG_MAX_MB'
  | 'TENREC_QUERY_SECONDS'
  | 'TENREC_CLICKHOUSE_CLUSTER'
  | 'TENREC_LOG_LEVEL'
  | 'TENREC_LOG_FORMAT'
>;

/** What the thread needs to begin. It is loaded before, while the engines are still starting. */
export interface WorkerStart {
  config: WorkerConfig;
  databaseUrl: string;
  store: StoreAddress;
  cities: CityDatabase | undefined;
}

export type ToWorker =
  | { type: 'begin'; start: WorkerStart }
  | { type: 'store_moved'; store: StoreAddress }
  | { type: 'stats' }
  | { type: 'stop' };

export type FromWorker =
  | { type: 'running' }
  /** It cannot start; the message is for whoever runs the program. */
  | { type: 'refused'; message: string }
  /** Another pipeline has taken the log's events over; this one has ended. */
  | { type: 'taken_over' }
  | { type: 'stats'; stats: PipelineStats };
