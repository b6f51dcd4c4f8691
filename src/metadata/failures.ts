// Which failures mean that PostgreSQL does not answer, as opposed to answering with an error.
import { DatabaseError } from 'pg';
import { Unavailable } from '../platform/unavailable.ts';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html; class 08 is a lost or refused connection. */
const UNAVAILABLE_STATES = new Set([
  '53300', // too many connections
  '57P01', // ended by the administrator
  '57P02', // another process of the server crashed
  '57P03', // starting up or shutting down
  '57P05', // idle session ended
  '25P03', // idle transaction ended
]);

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ENOENT', // no socket: the server is not running
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'EPIPE',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);

/** The client throws these without a code. */
const CLIENT_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client has encountered a connection error|Client was closed and is not queryable)/;

/** The same failure, as `Unavailable` when the caller should try again shortly. */
export function toUnavailable(error: unknown): unknown {
  return error instanceof Error && isConnectionFailure(error)
    ? new Unavailable('PostgreSQL', reasonOf(error), { cause: error })
    : error;
}

function isConnectionFailure(error: Error & { code?: string }): boolean {
  if (error instanceof DatabaseError) {
    return error.code !== undefined && (error.code.startsWith('08') || UNAVAILABLE_STATES.has(error.code));
  }
  if (error instanceof AggregateError) return error.errors.some((each) => isConnectionFailure(each));
  return NETWORK_CODES.has(error.code ?? '') || CLIENT_MESSAGES.test(error.message);
}

/** Trying several addresses of one name ends in an AggregateError, which has no message of its own. */
const reasonOf = (error: Error) =>
  error instanceof AggregateError ? error.errors.map((each: Error) => each.message).join('; ') : error.message;
