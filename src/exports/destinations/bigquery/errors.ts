import { DestinationError } from '../destination.ts';

interface ApiError extends Error {
  readonly code?: number | string;
  readonly errors?: readonly { readonly reason?: string; readonly message?: string }[];
}

/** Reasons that pass by themselves, whatever the status says. */
const PASSING = new Set([
  ...['backendError', 'internalError', 'quotaExceeded', 'rateLimitExceeded', 'userRateLimitExceeded'],
  ...['jobBackendError', 'jobInternalError', 'jobRateLimitExceeded', 'tableUnavailable', 'resourceInUse', 'stopped'],
]);

const MEANINGS: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  accessDenied: [
    'AccessDenied',
    'The service account may not do this; it needs the roles BigQuery Data Editor and Job User',
  ],
  notFound: ['NotFound', 'Something was not found. Check `project_id`, `dataset_id` and `table_id`'],
  invalid: ['InvalidRequest', 'BigQuery could not use the rows or the table'],
  invalidQuery: ['InvalidQuery', 'BigQuery could not use the table: do its columns have other types?'],
  billingNotEnabled: ['BillingNotEnabled', 'The project has no billing, which loading and merging need'],
  responseTooLarge: ['ResponseTooLarge', 'BigQuery refused the size of the rows'],
};

/** What BigQuery or the way to it said; what is neither passes through. */
export function toBigQueryError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const { code, errors, message } = error as ApiError;
  const reasons = (errors ?? []).flatMap(({ reason }) => reason ?? []);
  const retried = (kind: string, text: string) => new DestinationError(kind, text, { final: false, cause: error });
  const refused = (kind: string, text: string) => new DestinationError(kind, text, { final: true, cause: error });
  if (reasons.some((reason) => PASSING.has(reason))) return retried('ServerError', `BigQuery said: ${message}`);
  const known = reasons.map((reason) => MEANINGS[reason]).find((meaning) => meaning !== undefined);
  if (known) return refused(known[0], `${known[1]}. It said: ${message}`);
  if (/invalid_grant|invalid_client|DECODER|PEM|asymmetric key|No key or keyFile/i.test(message)) {
    return refused(
      'RefreshError',
      `The credentials are not accepted. Check \`private_key\` and \`client_email\`. It said: ${message}`,
    );
  }
  if (typeof code === 'number') {
    if (code === 401) return refused('Unauthorized', `The credentials are not accepted. It said: ${message}`);
    if (code === 403) return refused(...withMessage(MEANINGS.accessDenied!, message));
    if (code === 404) return refused(...withMessage(MEANINGS.notFound!, message));
    const passes = code >= 500 || code === 408 || code === 429;
    return new DestinationError(passes ? 'ServerError' : 'ClientError', `BigQuery answered ${code}: ${message}`, {
      final: !passes,
      cause: error,
    });
  }
  if (isConnectionError(error)) return retried('ConnectionError', `The connection to BigQuery failed: ${message}`);
  return reasons.length > 0 ? refused('BigQueryError', `BigQuery said: ${message}`) : error;
}

const withMessage = ([kind, text]: readonly [string, string], message: string): [string, string] => [
  kind,
  `${text}. It said: ${message}`,
];

function isConnectionError({ code, message, name }: NodeJS.ErrnoException): boolean {
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(String(code ?? '')) ||
    name === 'FetchError' ||
    /socket hang up|network|fetch failed|invalid json/i.test(message)
  );
}
