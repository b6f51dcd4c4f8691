import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInline, parseProse } from './prose.ts';

test('headings, lists and paragraphs are told apart', () => {
  const kinds = parseProse('# A\n\nplain **bold**\n- one\n- two\n## B').map(({ kind }) => kind);
  assert.deepEqual(kinds, ['heading', 'paragraph', 'list', 'heading']);
});

test('markup in a text stays text', () => {
  const text = '<img src=x onerror=alert(1)>';
  assert.deepEqual(parseProse(text), [{ kind: 'paragraph', parts: [{ kind: 'text', text }] }]);
});

test('a link leads to a page and never runs code', () => {
  assert.deepEqual(parseInline('[docs](https://example.com/a)'), [
    { kind: 'link', text: 'docs', href: 'https://example.com/a' },
  ]);
  for (const hostile of ['[x](javascript:alert(1))', '[x](data:text/html,1)', '[x](vbscript:x)']) {
    assert.ok(
      parseInline(hostile).every(({ kind }) => kind === 'text'),
      hostile,
    );
  }
});
