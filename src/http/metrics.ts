// Numbers for Prometheus: requests by route, the state of the process.
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

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
  const duration = new Histogram({
    name: 'tenrec_http_request_duration_seconds',
    help: 'Time to answer a request, by route.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  return {
    observe(method, route, status, seconds) {
      duration.observe({ method, route, status: String(status) }, seconds);
    },
  };
}
