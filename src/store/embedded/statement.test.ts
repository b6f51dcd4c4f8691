import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseStatement, quote } from './statement.ts';

const into = (format: string) => `\nINTO OUTFILE '/p' TRUNCATE FORMAT ${format}`;

const reads: { sql: string; expected: string }[] = [
  { sql: 'SELECT 1', expected: `SELECT 1${into('JSON')}` },
  { sql: 'SELECT 1;', expected: `SELECT 1${into('JSON')}` },
  { sql: 'SELECT 1 FORMAT CSV', expected: `SELECT 1 ${into('CSV')}` },
  { sql: 'SELECT 1 format CSV settings max_threads = 1', expected: `SELECT 1 ${into('CSV')} settings max_threads = 1` },
  { sql: 'SELECT 1 SETTINGS max_threads = 1', expected: `SELECT 1 SETTINGS max_threads = 1${into('JSON')}` },
  { sql: 'SELECT 1 -- the end', expected: `SELECT 1${into('JSON')}` },
  { sql: 'SELECT 1 /* FORMAT CSV */', expected: `SELECT 1${into('JSON')}` },
  { sql: "SELECT 'FORMAT CSV'", expected: `SELECT 'FORMAT CSV'${into('JSON')}` },
  { sql: 'SELECT format FROM t', expected: `SELECT format FROM t${into('JSON')}` },
  { sql: 'SELECT (SELECT 1 FORMAT CSV)', expected: `SELECT (SELECT 1 FORMAT CSV)${into('JSON')}` },
  { sql: "SELECT 'it\\'s; ' || \"a;b\"", expected: `SELECT 'it\\'s; ' || "a;b"${into('JSON')}` },
  { sql: 'SELECT $x$ FORMAT CSV; $x$', expected: `SELECT $x$ FORMAT CSV; $x$${into('JSON')}` },
  { sql: '(SELECT 1) UNION ALL (SELECT 2)', expected: `(SELECT 1) UNION ALL (SELECT 2)${into('JSON')}` },
  { sql: ' /* a */ with 1 AS x SELECT x', expected: ` /* a */ with 1 AS x SELECT x${into('JSON')}` },
  { sql: 'SHOW TABLES', expected: `SHOW TABLES${into('JSON')}` },
];

for (const { sql, expected } of reads) {
  test(`the result of ${sql} is led into a pipe`, () => {
    const statement = parseStatement(sql, false);
    assert.equal(statement.kind, 'read');
    assert.equal(statement.kind === 'read' && statement.into('/p', 'JSON'), expected);
  });
}

const inserts: { sql: string; expected: string }[] = [
  { sql: 'INSERT INTO t FORMAT CSV', expected: `INSERT INTO t \nFROM INFILE '/f' COMPRESSION 'none'\nFORMAT CSV` },
  {
    sql: 'insert into t (a, format) format CSV\n',
    expected: `insert into t (a, format) \nFROM INFILE '/f' COMPRESSION 'none'\nFORMAT CSV`,
  },
  {
    sql: 'INSERT INTO d.t (a) SETTINGS async_insert = 0 FORMAT Native',
    expected: `INSERT INTO d.t (a) \nFROM INFILE '/f' COMPRESSION 'none'\nSETTINGS async_insert = 0 FORMAT Native`,
  },
  { sql: 'INSERT INTO t VALUES', expected: `INSERT INTO t \nFROM INFILE '/f' COMPRESSION 'none'\nFORMAT Values` },
];

for (const { sql, expected } of inserts) {
  test(`${sql.trim()} takes its data from a file`, () => {
    const statement = parseStatement(sql, true);
    assert.equal(statement.kind, 'insert');
    assert.equal(statement.kind === 'insert' && statement.from('/f'), expected);
  });
}

for (const sql of [
  'CREATE TABLE t (a Int8) ENGINE = Memory',
  'INSERT INTO t VALUES (1)',
  'INSERT INTO t FORMAT CSV 1,2',
  'INSERT INTO t SELECT 1',
  'WITH 1 AS x INSERT INTO t SELECT x',
  'OPTIMIZE TABLE t',
  '',
]) {
  test(`${sql || 'an empty text'} is run as it is`, () => {
    const statement = parseStatement(sql, false);
    assert.equal(statement.kind, 'other');
    assert.equal(statement.kind === 'other' && statement.text, sql);
  });
}

test('statements that change their session say so', () => {
  const changes = (sql: string) => {
    const statement = parseStatement(sql, false);
    return statement.kind === 'other' && statement.changesSession;
  };
  assert.ok(changes('SET max_threads = 1'));
  assert.ok(changes('USE other'));
  assert.ok(changes('CREATE TEMPORARY TABLE t (a Int8)'));
  assert.ok(!changes('CREATE TABLE t (a Int8) ENGINE = Memory'));
});

test('placeholders are found, but not in quoted texts and comments', () => {
  const { placeholders } = parseStatement("SELECT {a:Int8}, { b : Array(String) }, '{c:Int8}' /* {d:Int8} */", false);
  assert.deepEqual([...placeholders], ['a', 'b']);
});

test('one request runs one statement', () => {
  assert.throws(() => parseStatement('SELECT 1; DROP TABLE t', false), /Multi-statements are not allowed/);
});

test('a result cannot be led to a file of the caller’s choice', () => {
  assert.throws(() => parseStatement("SELECT 1 INTO OUTFILE '/etc/passwd'", false), /INTO OUTFILE is not allowed/);
});

test('an INSERT … SELECT takes no data', () => {
  assert.throws(() => parseStatement('INSERT INTO t SELECT 1', true), /takes no data/);
});

test('a quoted text cannot end its own quotes', () => {
  assert.equal(quote("a'b\\c\0d"), "'a\\'b\\\\c\\0d'");
});
