import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { ApiError } from './errors.ts';
import {
  bool,
  choice,
  datetime,
  dict,
  email,
  integer,
  list,
  number,
  optional,
  parseBody,
  text,
  uuid,
} from './fields.ts';

const REFUSED = Symbol('refused');
type Case =
  | [given: unknown, expected: unknown]
  | [given: unknown, expected: typeof REFUSED, code: string, detail: string];

const WRONG_MOMENT =
  'Datetime has wrong format. Use one of these formats instead: YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z].';

const tables: Record<string, { field: z.ZodType; cases: Case[] }> = {
  text: {
    field: text({ max: 5 }),
    cases: [
      ['ab', 'ab'],
      ['  ab ', 'ab'],
      [12, '12'],
      [1.5, '1.5'],
      ['👩‍🚀', '👩‍🚀'],
      ['', REFUSED, 'blank', 'This field may not be blank.'],
      ['   ', REFUSED, 'blank', 'This field may not be blank.'],
      ['abcdef', REFUSED, 'max_length', 'Ensure this field has no more than 5 characters.'],
      [true, REFUSED, 'invalid_input', 'Not a valid string.'],
      [[], REFUSED, 'invalid_input', 'Not a valid string.'],
      [{}, REFUSED, 'invalid_input', 'Not a valid string.'],
      [null, REFUSED, 'null', 'This field may not be null.'],
      [undefined, REFUSED, 'required', 'This field is required.'],
      ['a\0b', REFUSED, 'null_characters_not_allowed', 'Null characters are not allowed.'],
    ],
  },
  bool: {
    field: bool(),
    cases: [
      ...[true, 1, '1', 't', 'T', 'yes', 'Y', 'on', 'TRUE', 'True'].map((given): Case => [given, true]),
      ...[false, 0, '0', 'f', 'F', 'no', 'N', 'off', 'FALSE', 'False'].map((given): Case => [given, false]),
      ...[2, 'maybe', '', [], {}, ['1']].map(
        (given): Case => [given, REFUSED, 'invalid_input', 'Must be a valid boolean.'],
      ),
    ],
  },
  integer: {
    field: integer({ min: 1, max: 9 }),
    cases: [
      [3, 3],
      ['3', 3],
      ['3.0', 3],
      [0, REFUSED, 'min_value', 'Ensure this value is greater than or equal to 1.'],
      [10, REFUSED, 'max_value', 'Ensure this value is less than or equal to 9.'],
      ...['', 'x', '1e3', 1.5, true, [], 1e300].map(
        (given): Case => [given, REFUSED, 'invalid_input', 'A valid integer is required.'],
      ),
    ],
  },
  number: {
    field: number(),
    cases: [
      [1.5, 1.5],
      ['1.5', 1.5],
      ...['', 'x', 'Infinity', true, []].map(
        (given): Case => [given, REFUSED, 'invalid_input', 'A valid number is required.'],
      ),
    ],
  },
  choice: {
    field: choice([21, 37]),
    cases: [
      [21, 21],
      ['37', 37],
      [5, REFUSED, 'invalid_choice', '"5" is not a valid choice.'],
      ['five', REFUSED, 'invalid_choice', '"five" is not a valid choice.'],
      [[21], REFUSED, 'invalid_choice', '"[21]" is not a valid choice.'],
    ],
  },
  uuid: {
    field: uuid(),
    cases: [
      ['018F5A0E-0000-0000-8000-3B1F6E0C9A11', '018f5a0e-0000-0000-8000-3b1f6e0c9a11'],
      ['018f5a0e0000000080003b1f6e0c9a11', '018f5a0e-0000-0000-8000-3b1f6e0c9a11'],
      ['nope', REFUSED, 'invalid_input', 'Must be a valid UUID.'],
      [7, REFUSED, 'invalid_input', 'Must be a valid UUID.'],
    ],
  },
  email: {
    field: email(),
    cases: [
      [' ada@example.com ', 'ada@example.com'],
      ['you@localhost', 'you@localhost'],
      ...['ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example', 'ada@-x.com'].map(
        (given): Case => [given, REFUSED, 'invalid_input', 'Enter a valid email address.'],
      ),
    ],
  },
  datetime: {
    field: datetime(),
    cases: [
      ['2025-02-03T10:11', '2025-02-03T10:11:00.000000Z'],
      ['2025-02-03 10:11:12.5', '2025-02-03T10:11:12.500000Z'],
      ['2025-02-03T10:11:12.345678+02:00', '2025-02-03T10:11:12.345678+02:00'],
      ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
      ...['2025-02-29T00:00:00Z', '2025-13-01T00:00', '2025-02-03', '2025-02-03T24:00', 'yesterday', 5, ''].map(
        (given): Case => [given, REFUSED, 'invalid_input', WRONG_MOMENT],
      ),
    ],
  },
  dict: {
    field: dict(),
    cases: [
      [{ a: 1 }, { a: 1 }],
      [[], REFUSED, 'not_a_dict', 'Expected a dictionary of items but got type "list".'],
      ['x', REFUSED, 'not_a_dict', 'Expected a dictionary of items but got type "str".'],
    ],
  },
  list: {
    field: list(text()),
    cases: [
      [
        ['a', 1],
        ['a', '1'],
      ],
      ['x', REFUSED, 'not_a_list', 'Expected a list of items but got type "str".'],
      [{}, REFUSED, 'not_a_list', 'Expected a list of items but got type "dict".'],
      [1, REFUSED, 'not_a_list', 'Expected a list of items but got type "int".'],
      [1.5, REFUSED, 'not_a_list', 'Expected a list of items but got type "float".'],
      [false, REFUSED, 'not_a_list', 'Expected a list of items but got type "bool".'],
      [null, REFUSED, 'null', 'This field may not be null.'],
    ],
  },
};

for (const [name, { field, cases }] of Object.entries(tables)) {
  for (const [given, expected, code, detail] of cases) {
    const said = expected === REFUSED ? `is refused as ${code}` : `is read as ${JSON.stringify(expected)}`;
    test(`${name}: ${JSON.stringify(given)} ${said}`, () => {
      const parse = () => parseBody(z.object({ it: field }), given === undefined ? {} : { it: given });
      if (expected !== REFUSED) return assert.deepEqual(parse(), { it: expected });
      assert.throws(parse, (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual(error.toJSON(), { type: 'validation_error', code, detail, attr: 'it' });
        return true;
      });
    });
  }
}

const Draft = z.object({ name: text(), size: optional(integer()), tags: optional(list(text({ max: 3 }))) });

test('only the first fault of a body is reported, in the order the fields are declared', () => {
  assert.throws(() => parseBody(Draft, { size: 'x' }), { attr: 'name', code: 'required' });
});

test('a fault inside a list names its place', () => {
  assert.throws(() => parseBody(Draft, { name: 'a', tags: ['ok', 'long'] }), { attr: 'tags__1', code: 'max_length' });
});

test('unknown fields are ignored', () => {
  assert.deepEqual(parseBody(Draft, { name: 'a', nope: 1 }), { name: 'a' });
});

test('a partial body may leave out what is required, and only that', () => {
  assert.deepEqual(parseBody(Draft.partial(), {}), {});
  assert.throws(() => parseBody(Draft.partial(), { name: null }), { attr: 'name', code: 'null' });
});

for (const [body, name] of [
  [[], 'list'],
  ['x', 'str'],
  [1, 'int'],
  [null, 'NoneType'],
] as const) {
  test(`a body that is a ${name} is refused`, () => {
    assert.throws(() => parseBody(Draft, body), { message: `Invalid data. Expected a dictionary, but got ${name}.` });
  });
}
