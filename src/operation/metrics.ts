// `/metrics`: request numbers come from http/, the state of the engines is read when somebody asks.
import { Gauge, type Registry } from 'prom-client';
import { openRoute, Reply, type Route } from '../http/route.ts';
import { check, type Service } from './health.ts';

export interface Engine {
  readonly up: boolean;
  readonly restarts: number;
}

/** A service, and the supervised process behind it when it is an embedded one. */
export interface WatchedService extends Service {
  engine: Engine | undefined;
}

export function metricsRoute(registry: Registry, services: readonly WatchedService[]): Route {
  const up = new Gauge({
    name: 'tenrec_service_up',
    help: '1 while the service answers.',
    labelNames: ['service'],
    registers: [registry],
  });
  const restarts = new Gauge({
    name: 'tenrec_engine_restarts',
    help: 'How often an embedded engine was restarted since the program started.',
    labelNames: ['service'],
    registers: [registry],
  });
  return openRoute('GET', '/metrics', {
    summary: 'Numbers for Prometheus',
    scope: null,
    page: true,
    async handle() {
      await Promise.all(
        services.map(async (service) => {
          up.set({ service: service.name }, (await check(service)) === 'ok' ? 1 : 0);
          if (service.engine) restarts.set({ service: service.name }, service.engine.restarts);
        }),
      );
      return new Reply(200, Buffer.from(await registry.metrics()), { 'content-type': registry.contentType });
    },
  });
}
