// The whole way, through the real program: events come in, an export ships them, and the command line recounts them.
import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { KEY, type Program, startProgram, stopProgram, TOKEN } from '../program.ts';
import { openTempFolder, type TempFolder } from '../temp-folder.ts';
import { runTenrec } from '../tenrec.ts';

const EVENTS = 50;

let folder: TempFolder;
let program: Program;
before(async () => {
  folder = await openTempFolder();
  program = await startProgram({ data: folder.path });
});
after(async () => {
  await stopProgram(program);
  await folder[Symbol.asyncDispose]();
});

const send = async (method: string, path: string, body?: unknown) => {
  const response = await fetch(program.url + path, {
    method,
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  const json: any = response.status === 204 ? undefined : await response.json();
  assert.ok(response.ok, JSON.stringify(json));
  return json;
};

const here = '/api/projects/@current/batch_exports';
const verify = (id: string) => {
  const { hostname, port } = new URL(program.url);
  const env = { TENREC_DATA: folder.path, HOST: hostname, PORT: port };
  return runTenrec(['export', 'verify', id], env);
};

test('what was captured is shipped once, and `tenrec export verify` can tell', async () => {
  const config = { prefix: 'lake/{year}' };
  const { id } = await send('POST', `${here}/`, {
    name: 'lake',
    interval: 'every 1 seconds',
    destination: { type: 'File', config },
  });
  const batch = Array.from({ length: EVENTS }, (_, n) => ({
    event: 'bought',
    distinct_id: `person ${n % 5}`,
    properties: { n, text: 'line\nbreak "quote" \u2028 ☃', nested: { deep: [null, 1e300] } },
  }));
  await send('POST', '/batch/', { api_key: TOKEN, batch });

  const lake = join(folder.path, 'exports', 'lake');
  const read = async () => {
    const names = await readdir(lake, { recursive: true }).catch(() => []);
    const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(lake, name));
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return {
      files,
      rows: texts.flatMap((text) =>
        text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    };
  };
  await eventually('all are shipped', async () => (await read()).rows.length >= EVENTS, 60_000);
  await send('POST', `${here}/${id}/pause/`).catch(() => {});
  await eventually('no run is under way', async () => {
    const { results } = await send('GET', `${here}/${id}/runs/?ordering=-created_at`);
    return results.every(({ status }: { status: string }) => status === 'Completed');
  });

  const { files, rows } = await read();
  assert.deepEqual(
    rows.map(({ properties }) => properties.n).sort((a, b) => a - b),
    batch.map(({ properties }) => properties.n),
  );
  for (const { properties } of rows) assert.deepEqual(properties.nested, { deep: [null, 1e300] });
  const good = await verify(id);
  assert.equal(good.code, 0, good.stderr);

  const [file = ''] = files;
  const [first = '', ...others] = (await readFile(file, 'utf8')).trim().split('\n');
  await writeFile(file, `${[...others, others[0] ?? first, others[0] ?? first].join('\n')}\n`);
  const bad = await verify(id);
  assert.equal(bad.code, 1, bad.stdout + bad.stderr);
  const { uuid } = JSON.parse(first);
  assert.match(bad.stdout, new RegExp(`differs\\n  missing ${uuid}\\n`));
  assert.match(bad.stdout, /\n {2}repeated [0-9a-f-]{36}\n/);
  assert.match(bad.stdout, /: 1 intervals differ\.\n$/);
});

test('verify says what it cannot do', async () => {
  const unknown = await verify('0195a1c2-7f00-7000-8000-000000000001');
  assert.equal(unknown.code, 3);
  assert.equal((await verify('nonsense')).code, 2);
});
