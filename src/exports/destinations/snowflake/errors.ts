import { DestinationError } from '../destination.ts';

interface SdkError extends Error {
  readonly code?: number | string;
  readonly sqlState?: string;
}

/** By the number that Snowflake gives; only a person can mend these. */
const FINAL: Readonly<Record<string, readonly [kind: string, text: string]>> = {
  '390100': ['Unauthorized', 'Snowflake did not accept the password. Check `user` and `password`'],
  '390144': ['Unauthorized', 'Snowflake did not accept the key. Check `user` and `private_key`'],
  '390201': ['ObjectNotFound', 'There is no such database, schema, warehouse or role'],
  '390189': ['ObjectNotFound', 'The user does not have this role. Check `role`'],
  '390422': ['NetworkPolicy', 'Snowflake does not let this address in: a network policy of the account forbids it'],
  '000606': ['NoWarehouse', 'No warehouse is running. Check `warehouse`, and that the user may use it'],
  '002003': ['ObjectNotFound', 'Something does not exist, or the user may not use it'],
  '002043': ['ObjectNotFound', 'Something does not exist, or the user may not use it'],
  '003001': ['InsufficientPrivileges', 'The user may not do this'],
  '090073': ['NoWarehouse', 'The warehouse cannot be resumed. Check that the user may operate it'],
  '100038': ['DataMismatch', 'A column of the table has a type that the values do not fit'],
  '100078': ['DataMismatch', 'A value is too long for its column'],
  '000904': ['InvalidColumn', 'The table lacks a column'],
};

/** What Snowflake or the way to it said; what is neither passes through. */
export function toSnowflakeError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  const { code, sqlState, name, message } = error as SdkError;
  const known = FINAL[String(code ?? '').padStart(6, '0')];
  if (known) return new DestinationError(known[0], `${known[1]}. It said: ${message}`, { final: true, cause: error });
  const isOfClient = /^4\d{5}$/.test(String(code ?? ''));
  // The client numbers its own errors from 400000; 401xxx are those of the network.
  if (/^401/.test(String(code ?? '')) || /network|ECONN|ETIMEDOUT|socket/i.test(message)) {
    const text = `The connection to Snowflake failed: ${message}. Check \`account\``;
    return new DestinationError('ConnectionError', text, { final: false, cause: error });
  }
  if (isOfClient) return new DestinationError('ConfigurationError', message, { final: true, cause: error });
  if (name === 'OperationFailedError' || sqlState) {
    // Syntax and access rules (42…) and values that do not fit (22…) will be the same next time.
    const final = /^(42|22|02)/.test(sqlState ?? '');
    return new DestinationError('OperationFailed', `Snowflake said: ${message}`, { final, cause: error });
  }
  if (name === 'RequestFailedError') {
    return new DestinationError('RequestFailed', `Snowflake did not answer: ${message}`, {
      final: false,
      cause: error,
    });
  }
  return error;
}
