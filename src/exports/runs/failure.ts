// What a failure means for a run, and what its people read about it.
import { ClickHouseError } from '@clickhouse/client';
import { ApiError } from '../../http/errors.ts';
import { Unavailable } from '../../platform/unavailable.ts';
import { DestinationError } from '../destinations/destination.ts';

export interface Failure {
  /** `Kind: message`, the wire's `latest_error`. */
  error: string;
  /** Only a person can mend it. */
  final: boolean;
}

/** The event store refuses what a filter or a chosen column asks for: a bad pattern, an unknown name, a wrong type. */
const REFUSED_BY_STORE = new Set(['6', '41', '43', '46', '47', '53', '62', '70', '386', '427']);

export function judgeFailure(thrown: unknown): Failure {
  if (thrown instanceof DestinationError) {
    return { error: `${thrown.kind}: ${thrown.message}`, final: thrown.final };
  }
  // Filters that were stored by an earlier version, and that this one cannot read.
  if (thrown instanceof ApiError) return { error: `InvalidSelection: ${thrown.message}`, final: true };
  if (thrown instanceof ClickHouseError) {
    return { error: `${thrown.type ?? 'QueryError'}: ${thrown.message}`, final: REFUSED_BY_STORE.has(thrown.code) };
  }
  if (thrown instanceof Unavailable) return { error: `Unavailable: ${thrown.message}`, final: false };
  if (thrown instanceof Error) return { error: `${thrown.name}: ${thrown.message}`, final: false };
  return { error: 'An unexpected error has occurred', final: false };
}

/** Hides these texts wherever they stand. Shorter ones would hide half of every word. */
export function hiderOf(secrets: readonly string[]): (text: string) => string {
  const hidden = secrets.filter((secret) => secret.length >= SECRET_CHARACTERS_MIN).sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, '***'), text);
}

const SECRET_CHARACTERS_MIN = 4;

/** Every text in a configuration that is not shown. */
export function listSecrets(config: unknown, shown: unknown): string[] {
  if (typeof config === 'string') return config === shown ? [] : [config];
  if (typeof config !== 'object' || config === null) return [];
  return Object.entries(config).flatMap(([name, value]) =>
    listSecrets(
      value,
      typeof shown === 'object' && shown !== null ? (shown as Record<string, unknown>)[name] : undefined,
    ),
  );
}
