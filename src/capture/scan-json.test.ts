import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JsonCursor, JsonSyntaxError, readMembers } from './scan-json.ts';

const spans = [
  { json: '{"a":1}', value: '{"a":1}', depth: 1 },
  { json: ' [1, {"b": [2]}] ', value: '[1, {"b": [2]}]', depth: 3 },
  { json: '"a \\" b" , 1', value: '"a \\" b"', depth: 0 },
  { json: '"\\\\"]', value: '"\\\\"', depth: 0 },
  { json: '-1.5e3,', value: '-1.5e3', depth: 0 },
  { json: 'null}', value: 'null', depth: 0 },
  { json: '{"]":"}"}]', value: '{"]":"}"}', depth: 1 },
  { json: '{}{}', value: '{}', depth: 1 },
];
for (const { json, value, depth } of spans) {
  test(`the value at the start of ${json} is ${value}`, () => {
    const bytes = Buffer.from(json);
    const span = new JsonCursor(bytes).value();
    assert.equal(bytes.toString('utf8', span.start, span.end), value);
    assert.equal(span.depth, depth);
  });

  test(`… and the same when it is passed over byte by byte: ${json}`, () => {
    const bytes = Buffer.from(json);
    const cursor = new JsonCursor(bytes);
    const scan = cursor.startValue();
    while (!scan.advance(1));
    const span = cursor.endValue(scan);
    assert.equal(bytes.toString('utf8', span.start, span.end), value);
  });
}

for (const json of ['', '{', '[1', '"a', '"\\', '{"a":"b}', ']', ',']) {
  test(`${JSON.stringify(json)} is no value`, () => {
    assert.throws(() => new JsonCursor(Buffer.from(json)).value(), JsonSyntaxError);
  });
}

test('members are read in order, keys unescaped, double ones twice', () => {
  const json = '{"a":1, "b\\u0041" : {"c":[1,2]} ,"a":"x"}';
  const bytes = Buffer.from(json);
  const members = readMembers(bytes, { start: 0, end: bytes.length });
  assert.deepEqual(
    members.map(({ key, value }) => [key, bytes.toString('utf8', value.start, value.end)]),
    [
      ['a', '1'],
      ['bA', '{"c":[1,2]}'],
      ['a', '"x"'],
    ],
  );
});

for (const json of ['{"a" 1}', '{"a":1 "b":2}', '{a:1}', '{"a":1,}', '{,}', '{"a":}', '{"\\x":1}', '{"a":1]']) {
  test(`${json} has no members`, () => {
    assert.throws(() => readMembers(Buffer.from(json), { start: 0, end: json.length }), JsonSyntaxError);
  });
}

test('nesting of any depth is passed over without a call for each level', () => {
  const depth = 200_000;
  const bytes = Buffer.from('['.repeat(depth) + ']'.repeat(depth));
  assert.equal(new JsonCursor(bytes).value().depth, depth);
});
