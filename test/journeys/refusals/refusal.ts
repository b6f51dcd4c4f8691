// How a refusal is written down: what is asked, and how it is answered.
import type { Ask } from '../../app.ts';

export type Refusal = [
  title: string,
  method: string,
  path: string,
  ask: Ask,
  status: number,
  type: string | null,
  code: string | null,
  detail: string | null,
  attr?: string | null,
];

export const AUTH = 'authentication_error';
export const REQUEST = 'invalid_request';
export const VALUE = 'validation_error';

export const json = (text: string): Ask => ({ body: text, headers: { 'content-type': 'application/json' } });
