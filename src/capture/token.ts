// The project key: where it is looked for, and what shape it must have.
import { inconsistentTokens, invalidToken, missingToken, type TokenFault } from './capture-error.ts';
import type { JsonObject } from './exact-json.ts';
import { ownValue } from './exact-json.ts';

/** As long as a project's key can be made. */
const TOKEN_BYTES_MAX = 200;
const PLACES = ['token', 'api_key', '$token'];

/** Keys found in one place of a request: at most two different ones are remembered, which is enough to object. */
export class FoundTokens {
  readonly #tokens = new Set<string>();
  #fault: TokenFault | undefined;

  /** Looks at an envelope or an event; an event may also carry its key inside `properties`. */
  look(holder: JsonObject, properties?: JsonObject): void {
    const places = PLACES.map((name) => ownValue(holder, name));
    if (properties) places.push(ownValue(properties, 'token'));
    for (const value of places) {
      if (value === undefined || value === null) continue;
      if (this.add(value)) return;
    }
  }

  /** False when the value cannot be a key; then another place may still have one. */
  add(value: unknown): boolean {
    if (typeof value !== 'string' || value.trim() === '') {
      this.#fault ??= typeof value === 'string' ? 'empty' : 'not_string';
      return false;
    }
    if (this.#tokens.size < 2) this.#tokens.add(value.trim());
    return true;
  }

  get empty(): boolean {
    return this.#tokens.size === 0 && !this.#fault;
  }

  /** The one key; throws what the sender should be told otherwise. */
  get(): string {
    const [token, second] = this.#tokens;
    if (second !== undefined) throw inconsistentTokens();
    if (token === undefined) throw this.#fault ? invalidToken(this.#fault) : missingToken();
    const fault = findTokenFault(token);
    if (fault) throw invalidToken(fault);
    return token;
  }
}

function findTokenFault(token: string): TokenFault | undefined {
  if (token.includes('\0')) return 'null_byte';
  if (/[^\x00-\x7f]/.test(token)) return 'not_ascii';
  if (token.length > TOKEN_BYTES_MAX) return 'too_long';
  return token.startsWith('phx_') ? 'personal_api_key' : undefined;
}
