// What became of a run, in words. Pure.
import type { Run, RunStatus } from '../../api/use-export-runs.ts';

export const statusWords: Record<RunStatus, string> = {
  Starting: 'waiting',
  Running: 'running',
  Completed: 'done',
  Failed: 'failed',
  FailedRetryable: 'failed',
  Cancelled: 'cancelled',
  TimedOut: 'took too long',
  Terminated: 'ended',
  ContinuedAsNew: 'continued',
};

export const statusColors: Record<RunStatus, string> = {
  Starting: 'gray',
  Running: 'blue',
  Completed: 'teal',
  Failed: 'red',
  FailedRetryable: 'orange',
  Cancelled: 'gray',
  TimedOut: 'orange',
  Terminated: 'gray',
  ContinuedAsNew: 'gray',
};

/** How far it has come, 0 to 1; undefined when that is not known. */
export function shareOf({ status, records_completed, records_total_count }: Run): number | undefined {
  if (status === 'Completed') return 1;
  if (!records_total_count) return undefined;
  return Math.min(1, (records_completed ?? 0) / records_total_count);
}

/** By what comes before the colon of an error: its kind. */
const ADVICE: readonly [kind: RegExp, advice: string][] = [
  [/^PrivateNetwork/, 'Have it allowed, or name another host in the settings'],
  [
    /^(NoSuch|ObjectNotFound|Undefined|InvalidSchema|NotFound|InvalidCatalog)/,
    'Make what is missing over there, or mend its name in the settings',
  ],
  [
    /(Privilege|AccessDenied|PermissionDenied|Forbidden)/,
    'Give the user the rights that are missing, or name another one in the settings',
  ],
  [
    /(Credentials|Unauthorized|InvalidAccessKey|Signature|Authentication|Authorization|Password)/,
    'Give credentials that are taken, in the settings',
  ],
  [/(UnknownHost|HostLookup|Connection|Connect)/, 'Look at host, port and firewall'],
];

/** What can be done about a failure, in words. */
export function adviceFor({ status, latest_error }: Pick<Run, 'status' | 'latest_error'>): string | undefined {
  if (status === 'FailedRetryable') return 'It was tried several times. Retry it when the destination is well again.';
  if (status === 'TimedOut') return 'Ship less at once: a shorter interval makes smaller runs.';
  if (status !== 'Failed') return undefined;
  const kind = (latest_error ?? '').split(':', 1)[0] ?? '';
  const [, advice = 'Mend what the message says, in the settings or over there'] =
    ADVICE.find(([pattern]) => pattern.test(kind)) ?? [];
  return `${advice}; then retry the run.`;
}

const MINUTE_S = 60;

/** `3 min 20 s`. */
export function durationText(fromIso: string, toIso: string | null, nowMs: number): string {
  const seconds = Math.max(0, Math.round(((toIso ? Date.parse(toIso) : nowMs) - Date.parse(fromIso)) / 1000));
  if (seconds < MINUTE_S) return `${seconds} s`;
  const minutes = Math.floor(seconds / MINUTE_S);
  if (minutes < MINUTE_S) return `${minutes} min ${seconds % MINUTE_S} s`;
  return `${Math.floor(minutes / MINUTE_S)} h ${minutes % MINUTE_S} min`;
}
