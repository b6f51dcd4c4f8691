import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { options } from '../config.ts';
import { README, withOptionsTable } from './write-docs.ts';

test('the README lists the options as they are in the code', () => {
  const text = readFileSync(README, 'utf8');

  assert.equal(text, withOptionsTable(text), 'README.md is out of date; run: npm run docs');
});

test('the table names every option, and replaces the one that was there', () => {
  const text = withOptionsTable('before\n<!-- options -->\nan old table\n<!-- /options -->\nafter');

  for (const name of Object.keys(options)) assert.ok(text.includes(`| \`${name}\` |`), name);
  assert.doesNotMatch(text, /an old table/);
  assert.match(text, /^before\n<!-- options -->\n\|.*\|\n<!-- \/options -->\nafter$/s);
});

test('a README without a place for the table is refused', () => {
  assert.throws(() => withOptionsTable('no marks here'), /<!-- options -->/);
});
