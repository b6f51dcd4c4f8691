import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitStatements } from './split-statements.ts';

const cases: { about: string; sql: string; expected: string[] }[] = [
  { about: 'one statement without a semicolon', sql: 'SELECT 1', expected: ['SELECT 1'] },
  { about: 'two statements on lines', sql: 'SELECT 1;\nSELECT 2;\n', expected: ['SELECT 1', 'SELECT 2'] },
  { about: 'a semicolon in a text', sql: "SELECT ';'; SELECT 2", expected: ["SELECT ';'", 'SELECT 2'] },
  { about: 'an escaped quote', sql: "SELECT 'a\\';b'; SELECT 2", expected: ["SELECT 'a\\';b'", 'SELECT 2'] },
  { about: 'a doubled quote', sql: "SELECT 'a'';b'; SELECT 2", expected: ["SELECT 'a'';b'", 'SELECT 2'] },
  { about: 'a semicolon in a name', sql: 'SELECT `a;b`, "c;d"', expected: ['SELECT `a;b`, "c;d"'] },
  { about: 'a comment to the end of the line', sql: "-- it's; here\nSELECT 1 -- and; there", expected: ['SELECT 1'] },
  { about: 'a comment over lines', sql: 'SELECT /* 1;\n */ 2; SELECT 3', expected: ['SELECT   2', 'SELECT 3'] },
  { about: 'dashes and slashes that are no comments', sql: 'SELECT 3 - 2 / 1', expected: ['SELECT 3 - 2 / 1'] },
  { about: 'nothing', sql: ' ;; -- nothing\n', expected: [] },
];

for (const { about, sql, expected } of cases) {
  test(`a file is cut into its statements: ${about}`, () => {
    assert.deepEqual(splitStatements(sql), expected);
  });
}
