import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPythonText } from './python-text.ts';
import { templateSchema } from './schema.ts';
import { findFault, requireFit } from './validate.ts';

const template = (given: object = {}) => ({
  template_name: 'Sign-ups',
  dashboard_description: '',
  dashboard_filters: {},
  tiles: [{ type: 'TEXT' }],
  ...given,
});
const without = (name: string) => Object.fromEntries(Object.entries(template()).filter(([key]) => key !== name));
const variable = { id: 'A', name: 'a', type: 'event', default: {}, description: '', required: true };

const faults: [value: unknown, validator: string, message: string][] = [
  [without('template_name'), 'required', "'template_name' is a required property"],
  [without('dashboard_description'), 'required', "'dashboard_description' is a required property"],
  [without('dashboard_filters'), 'required', "'dashboard_filters' is a required property"],
  [without('tiles'), 'required', "'tiles' is a required property"],
  [template({ tiles: [] }), 'minItems', '[] is too short'],
  [template({ tiles: ['a'] }), 'type', "'a' is not of type 'object'"],
  [template({ template_name: 7 }), 'type', "7 is not of type 'string'"],
  [template({ team_id: 'x' }), 'type', "'x' is not of type 'number', 'null'"],
  [template({ tags: [true] }), 'type', "True is not of type 'string'"],
  [template({ variables: [{ ...variable, type: 'action' }] }), 'enum', "'action' is not one of ['event']"],
  [template({ variables: [{ id: 'A' }] }), 'required', "'name' is a required property"],
  ['no template', 'type', "'no template' is not of type 'object'"],
];

for (const [value, validator, message] of faults) {
  test(`a template is refused: ${message}`, () => {
    const fault = findFault(templateSchema, value);
    assert.deepEqual([fault?.validator, fault?.message], [validator, message]);
  });
}

for (const given of [
  {},
  { variables: null },
  { variables: [variable] },
  { tags: ['a'] },
  { unknown: 1, team_id: null },
]) {
  test(`a template with ${JSON.stringify(given)} fits`, () => {
    assert.equal(findFault(templateSchema, template(given)), undefined);
  });
}

test('the refusal names the rule, its place in the schema and the value at fault', () => {
  assert.throws(
    () => requireFit(templateSchema, template({ variables: [{ ...variable, required: 'yes' }] })),
    ({ message }: Error) =>
      message.startsWith("'yes' is not of type 'boolean'\n") &&
      message.includes(
        "Failed validating 'type' in schema['properties']['variables']['items']['properties']['required']:",
      ) &&
      message.endsWith("On instance['variables'][0]['required']:\n    'yes'"),
  );
});

const texts: [value: unknown, text: string][] = [
  [{ a: null, b: [true, false, 1.5], "it's": 'x' }, `{'a': None, 'b': [True, False, 1.5], "it's": 'x'}`],
  ['both \' and "', `'both \\' and "'`],
  ['a\nb\\', "'a\\nb\\\\'"],
];
for (const [value, text] of texts) {
  test(`${JSON.stringify(value)} is ${text} in Python`, () => assert.equal(toPythonText(value), text));
}
