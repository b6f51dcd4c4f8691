import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CaptureError } from './capture-error.ts';
import type { JsonObject } from './exact-json.ts';
import { FoundTokens } from './token.ts';

/** What the events of a request carry, and the key that is found or the code of the refusal. */
const cases: { events: JsonObject[]; token?: string; code?: string }[] = [
  { events: [{ token: 'phc_a' }], token: 'phc_a' },
  { events: [{ api_key: 'phc_a' }], token: 'phc_a' },
  { events: [{ $token: 'phc_a' }], token: 'phc_a' },
  { events: [{ properties: { token: 'phc_a' } }], token: 'phc_a' },
  { events: [{ api_key: 'phc_a', properties: { token: 'phc_b' } }], token: 'phc_a' },
  { events: [{ token: ' phc_a\n' }], token: 'phc_a' },
  { events: [{ token: '', api_key: 'phc_a' }], token: 'phc_a' },
  { events: [{ token: null, properties: { token: 'phc_a' } }], token: 'phc_a' },
  { events: [{}, { token: 'phc_a' }, { token: 'phc_a' }], token: 'phc_a' },
  { events: [{ token: 'phc_a' }, { token: 'phc_b' }], code: 'inconsistent_api_key' },
  { events: [{}], code: 'missing_api_key' },
  { events: [{ properties: { api_key: 'phc_a' } }], code: 'missing_api_key' },
  { events: [{ token: ' ' }], code: 'empty' },
  { events: [{ token: 5 }], code: 'not_string' },
  { events: [{ token: 'x'.repeat(201) }], code: 'too_long' },
  { events: [{ token: 'phc_ü' }], code: 'not_ascii' },
  { events: [{ token: 'phx_secret' }], code: 'personal_api_key' },
  { events: [{ token: 'phc_\0' }], code: 'null_byte' },
];
for (const { events, token, code } of cases) {
  test(`${JSON.stringify(events).slice(0, 90)}: ${token ?? code}`, () => {
    const found = new FoundTokens();
    for (const event of events) found.look(event, event.properties as JsonObject | undefined);
    if (token) assert.equal(found.get(), token);
    else
      assert.throws(
        () => found.get(),
        (error) => error instanceof CaptureError && error.status === 401 && error.code === code,
      );
  });
}
