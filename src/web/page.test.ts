import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { readLocale } from './drawing.ts';
import type { WebFiles } from './files.ts';
import { printPage } from './page.ts';

const INDEX = '<html><head><link rel="stylesheet" href="/a.css"></head><body><div id="root"></div></body></html>';
const files: WebFiles = new Map([['index.html', { type: 'text/html', bytes: Buffer.from(INDEX), encoded: {} }]]);
const PATH = '/project/1/dashboards/2';

interface Asked {
  answer?: string | undefined;
  path?: string;
  theme?: string;
  draw?: () => { markup: string; style: string };
}

const print = ({ answer, path = PATH, theme, draw = () => ({ markup: '<i>drawn</i>', style: 'i{}' }) }: Asked) =>
  printPage({
    files,
    name: 'index.html',
    path,
    nonce: 'abc',
    visitor: { ask: async () => answer, locale: undefined, theme },
    draw: async () => draw,
    log: pino({ level: 'silent' }),
  });

test('a dashboard is drawn in front of the app and of its style sheets, with styles that the policy lets through', async () => {
  const page = await print({ answer: '{}' });
  assert.match(page, /<body><style nonce="abc">i\{\}<\/style><i>drawn<\/i><link rel="stylesheet"[^>]*><div id="root">/);
});

test('nothing in an answer can leave the element that holds it', async () => {
  const page = await print({ answer: '{"name":"</script><script>alert(1)</script>$&"}' });
  const [, given = ''] = /<script type="application\/json" id="ahead">(.*?)<\/script>/.exec(page) ?? [];
  assert.equal(JSON.parse(given)['/api/users/@me/'].name, '</script><script>alert(1)</script>$&');
  assert.equal(page.match(/<script/g)?.length, 1);
});

test('whoever is refused an answer gets the page as it is', async () => {
  assert.equal(await print({ answer: undefined }), INDEX);
});

test('answers that would make the page slow are left to the app', async () => {
  assert.equal(await print({ answer: JSON.stringify('x'.repeat(600_000)) }), INDEX);
});

test('a dashboard that cannot be drawn is left to the app', async () => {
  const fail = () => {
    throw new Error('an answer of a shape that nobody expected');
  };
  assert.equal(await print({ answer: '{}', draw: fail }), INDEX);
});

test('a page is dark from its first frame on for whoever chose that, and nothing else is taken from the cookie', async () => {
  assert.match(await print({ theme: 'dark' }), /^<html data-mantine-color-scheme="dark">/);
  assert.equal(await print({ theme: '"><script>' }), INDEX);
});

for (const { header, expected } of [
  { header: 'de-CH,de;q=0.9,en;q=0.8', expected: 'de-CH' },
  { header: '*', expected: undefined },
  { header: '', expected: undefined },
  { header: undefined, expected: undefined },
]) {
  test(`the reader's language in ${header}: ${expected}`, () => {
    assert.equal(readLocale(header), expected);
  });
}
