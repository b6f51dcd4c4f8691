// Is the program alive, and can it serve? For load balancers and people.
import { z } from 'zod';
import { openRoute, Reply, type Route } from '../http/route.ts';

export interface Service {
  name: string;
  /** Rejects when the service does not answer. */
  health(): Promise<void>;
}

const Readiness = z.strictObject({
  status: z.literal(['ok', 'unavailable']),
  services: z.record(z.string(), z.string()),
});

const CHECK_MS_MAX = 2_000;

export const healthRoutes = (services: readonly Service[]): Route[] => [
  openRoute('GET', '/_liveness', {
    summary: 'The process answers',
    scope: null,
    returns: z.strictObject({ status: z.literal('ok') }),
    handle: () => ({ status: 'ok' }),
  }),

  openRoute('GET', '/_readiness', {
    summary: 'Every service behind the process answers',
    scope: null,
    returns: Readiness,
    async handle() {
      const states = await Promise.all(services.map(async (service) => [service.name, await check(service)] as const));
      const ready = states.every(([, state]) => state === 'ok');
      const body = { status: ready ? 'ok' : 'unavailable', services: Object.fromEntries(states) };
      return new Reply(ready ? 200 : 503, body, ready ? {} : { 'retry-after': '1' });
    },
  }),
];

/** `ok`, or one line that says what is wrong. */
export async function check({ health }: Service): Promise<string> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS_MAX} ms`)), CHECK_MS_MAX);
  try {
    await Promise.race([health(), late]);
    return 'ok';
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
  }
}
