import { ApiError } from '../api/client.ts';

/** Puts a refusal beside the field that it is about; tells whether there was one. */
export function toFieldErrors(error: unknown, fields: readonly string[]): Record<string, string> | undefined {
  if (!(error instanceof ApiError) || error.attr === null || !fields.includes(error.attr)) return undefined;
  return { [error.attr]: error.message };
}
