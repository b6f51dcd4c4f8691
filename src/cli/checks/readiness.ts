import { z } from 'zod';
import type { Config } from '../../config.ts';

const Readiness = z.object({ status: z.string(), services: z.record(z.string(), z.string()) });

const ASK_MS_MAX = 3_000;

/** What the program that listens there says of itself; undefined when none does, or it is not Tenrec. */
export async function askReadiness({
  HOST,
  PORT,
}: Pick<Config, 'HOST' | 'PORT'>): Promise<z.output<typeof Readiness> | undefined> {
  try {
    const response = await fetch(`http://${reachableHost(HOST)}:${PORT}/_readiness`, {
      signal: AbortSignal.timeout(ASK_MS_MAX),
    });
    return Readiness.parse(await response.json());
  } catch {
    return undefined;
  }
}

/** "Every interface" can be listened on, but not asked. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
