import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBody } from './body.ts';

async function read(form: FormData): Promise<unknown> {
  const response = new Response(form);
  return readBody(Buffer.from(await response.arrayBuffer()), response.headers.get('content-type') ?? '');
}

test('a file in a form is a field whose value is its text', async () => {
  const form = new FormData();
  form.set('name', 'Friends');
  form.set('csv', new File(['\ufeffid\nann\nbøb\n'], 'friends.csv', { type: 'text/csv' }));
  assert.deepEqual(await read(form), { name: 'Friends', csv: 'id\nann\nbøb\n' });
});

test('a file with bytes that are no text is read all the same', async () => {
  const form = new FormData();
  form.set('csv', new Blob([new Uint8Array([0x61, 0xff, 0x62])]));
  assert.deepEqual(await read(form), { csv: 'a\ufffdb' });
});

test('no body at all is an empty object', async () => {
  assert.deepEqual(await readBody(undefined, undefined), {});
});
