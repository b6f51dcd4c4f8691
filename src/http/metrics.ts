// Numbers for Prometheus: requests by route, the state of the process.
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';

export interface RequestMetrics {
  observe(method: string, route: string, status: number, seconds: number): void;
}

/** A registry of its own, so that two programs in one test do not share numbers. */
export function openRegistry(): Registry {
  const registry = new Registry();
  // Event-loop delay, memory, garbage collection, file descriptors.
  collectDefaultMetrics({ register: registry });
  return registry;
}

export function requestMetrics(registry: Registry): RequestMetrics {
  const durations = new RequestDurations();
  // The registry asks its metrics for nothing but `name` and `get`; its types ask for more.
  registry.registerMetric(durations as unknown as Metric);
  return durations;
}
