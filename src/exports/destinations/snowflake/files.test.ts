import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Shipment } from '../destination.ts';
import { writeFiles } from './files.ts';

const lines = Array.from({ length: 1_000 }, (_, n) => `{"n":${n},"text":"${'x'.repeat(n % 90)}"}\n`);
/** In chunks that end anywhere. */
const chunks = () =>
  Readable.from(
    lines
      .join('')
      .match(/[\s\S]{1,777}/g)!
      .map((chunk) => Buffer.from(chunk)),
  );
const shipment = { signal: new AbortController().signal, progress: () => {} } as unknown as Shipment;

test('files end where lines do, hold every line once, and are gone when they are sent', async () => {
  const sent: string[] = [];
  const paths: string[] = [];
  const send = async (path: string) => {
    paths.push(path);
    sent.push(gunzipSync(await readFile(path)).toString());
  };
  const done = await writeFiles(chunks(), shipment, send, 10_000);

  assert.equal(done.records, 1_000);
  assert.ok(sent.length > 3);
  for (const text of sent) assert.equal(text.at(-1), '\n');
  assert.equal(sent.join(''), lines.join(''));
  assert.ok(paths.every((path) => !existsSync(path) && !existsSync(dirname(path))));
});

test('nothing stays on the disk when sending fails', async () => {
  const paths: string[] = [];
  const send = async (path: string) => {
    paths.push(path);
    throw new Error('the network is gone');
  };
  await assert.rejects(writeFiles(chunks(), shipment, send, 10_000), /the network is gone/);
  assert.equal(existsSync(dirname(paths[0]!)), false);
});
