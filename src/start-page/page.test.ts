import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { markup } from '../http/markup.ts';
import { pageHeaders, renderPage, type StartPage } from './page.ts';

const page = (given: Partial<StartPage> = {}) =>
  renderPage({ origin: 'http://127.0.0.1:8000', projectKey: 'phc_testkey', events: true, ...given });

const HOSTILE = `"'><img src=x onerror=alert(1)><script>alert(2)</script>&amp;`;

test('what is put into markup is text', () => {
  assert.equal(markup`<p title="${HOSTILE}">`.text.match(/[<>"']/g)?.join(''), '<"">');
  assert.equal(markup`<ul>${[markup`<li>${'<'}`, markup`<li>${'&'}`]}</ul>`.text, '<ul><li>&lt;<li>&amp;</ul>');
});

for (const field of ['origin', 'projectKey'] as const) {
  test(`a hostile ${field} adds no element and no attribute to the page`, () => {
    const tags = (text: string) => text.match(/<[^>]*>/g)?.length;

    assert.equal(tags(page({ [field]: HOSTILE })), tags(page()));
    assert.ok(!page({ [field]: HOSTILE }).includes('<img'));
  });
}

test('only the style and the script of the page itself are allowed to apply', () => {
  const policy = pageHeaders['content-security-policy'] ?? '';
  for (const element of ['style', 'script']) {
    const inside = [...page().matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(
      ([, text]) => text ?? '',
    );
    assert.equal(inside.length, 1);
    const hash = createHash('sha256')
      .update(inside[0] ?? '')
      .digest('base64');
    assert.match(policy, new RegExp(`${element}-src 'sha256-${RegExp.escape(hash)}'(;|$)`));
  }
  assert.match(policy, /^default-src 'none';/);
});

test('the page promises to take in events only when the program does', () => {
  assert.ok(page({ events: false }).includes('Not in this version yet.'));
  assert.ok(!page({ events: true }).includes('Not in this version yet.'));
});

test('without a project the page says how to make one', () => {
  const text = page({ projectKey: undefined });

  assert.ok(text.includes('POST /api/projects/'));
  assert.ok(!text.includes('phc_'));
});
