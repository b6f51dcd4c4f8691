// How a command can end. The numbers are part of the interface: scripts rely on them.
import { ConfigError } from '../config.ts';
import { ApiError } from '../http/errors.ts';
import { StartError } from '../platform/start-error.ts';
import { Unavailable } from '../platform/unavailable.ts';

export type ExitCode = 0 | 1 | 2 | 3 | 4;

export const exitCodes: Readonly<Record<ExitCode, string>> = {
  0: 'done',
  1: 'failed; for `doctor`: something is broken; for `migrate --status`: migrations are pending',
  2: 'wrong usage or wrong configuration: a command, an option, a value or a variable',
  3: 'not found: the user, project, key or data that was named does not exist',
  4: 'a service does not answer; trying again may help',
};

/** A failure meant for the person at the terminal: what was wrong and what would be right, in one line. */
export class CliError extends Error {
  readonly exit: ExitCode;

  constructor(exit: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exit = exit;
  }
}

export const usageError = (message: string) => new CliError(2, message);
export const missing = (message: string) => new CliError(3, message);

/** The lines to print and the number to end with. A failure that nobody foresaw shows where it came from. */
export function explainFailure(error: unknown): { exit: ExitCode; message: string } {
  if (error instanceof CliError) return { exit: error.exit, message: error.message };
  if (error instanceof ConfigError) return { exit: 2, message: error.message };
  if (error instanceof ApiError) return { exit: exitOfStatus(error.status), message: explainField(error) };
  if (error instanceof Unavailable) return { exit: 4, message: error.message };
  // A service that stayed away for the whole of a start is the cause of the failure, and is as likely to come back.
  if (error instanceof StartError) return { exit: error.cause instanceof Unavailable ? 4 : 1, message: error.message };
  return { exit: 1, message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

/** The rules of the API speak of fields; at the terminal the same names are options and arguments. */
const explainField = ({ attr, message }: ApiError) => (attr ? `${attr}: ${message}` : message);

function exitOfStatus(status: number): ExitCode {
  if (status === 404) return 3;
  return status === 503 ? 4 : 2;
}
