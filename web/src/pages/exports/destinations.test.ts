// The form of each destination beside what the server knows of it: nothing is asked for that it refuses, nothing that
// it needs is left out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { destinations } from './destinations.ts';
import { GOOGLE_NAMES } from './export-draft.ts';

interface ServerField {
  required?: boolean;
  secret?: unknown;
  fallback?: unknown;
}
type Known = Record<string, { fields: Record<string, ServerField> }>;

// Told to the compiler as little as the form needs: the server's code has its own checks.
const ALL = new URL('../../../../src/exports/destinations/all.ts', import.meta.url).href;
const { openDestinations } = (await import(ALL)) as { openDestinations: (options: object) => Known };
const known = openDestinations({ filesFolder: '/nowhere', privateNetworksAllowed: false });

/** Loading by COPY is set up over the API. */
const WITHOUT_INPUT = new Set(['mode', 'copy_inputs']);

for (const { type, fields } of destinations) {
  test(`the form of ${type} asks for what the server takes`, () => {
    const asked = fields.flatMap((field) =>
      field.kind === 'google-key' ? GOOGLE_NAMES.map((name) => ({ ...field, name })) : [field],
    );
    const told = Object.entries(known[type]?.fields ?? {}).filter(([name]) => !WITHOUT_INPUT.has(name));

    assert.deepEqual(asked.map(({ name }) => name).sort(), told.map(([name]) => name).sort());
    for (const [name, { required = false, secret = false, fallback }] of told) {
      const field = asked.find((each) => each.name === name);
      const isSecret = ['secret', 'long-secret', 'google-key'].includes(field?.kind ?? '');
      assert.deepEqual(
        { name, required, secret: secret === true, fallback: fallback ?? undefined },
        {
          name,
          required: field?.isRequired ?? false,
          secret: isSecret,
          fallback: field?.kind === 'switch' ? (field.fallback ?? false) : field?.fallback,
        },
      );
    }
  });
}
