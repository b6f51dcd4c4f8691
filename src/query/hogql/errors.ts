// What is wrong with a text of HogQL, and where.
import { type ApiError, invalid } from '../../http/errors.ts';
import type { Position } from './ast.ts';

export interface Place {
  start?: Position | undefined;
  end?: Position | undefined;
}

/** Names of any length come in texts, and nobody needs to read all of one to know it again. */
const DETAIL_CHARACTERS_MAX = 500;

/** A 400 whose text ends with the place, when it is known: `…, at line 2, column 8`. */
export function hogqlError(detail: string, place: Place = {}): ApiError {
  const { start } = place;
  const where = start && start.line > 0 ? `, at line ${start.line}, column ${start.column + 1}` : '';
  const short = detail.length > DETAIL_CHARACTERS_MAX ? `${detail.slice(0, DETAIL_CHARACTERS_MAX)}…` : detail;
  return invalid(`${short}${where}.`, null, 'invalid_hogql');
}

/** The position of a character in the text. */
export function positionAt(text: string, offset: number): Position {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - (before.lastIndexOf('\n') + 1), offset };
}
