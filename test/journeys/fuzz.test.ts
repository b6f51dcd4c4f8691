// Nonsense over the wire: no 5xx, no hang, no growth. Seeded; `npm run test:long` sends fifty times as much.
import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { after, test } from 'node:test';
import { startTestApp } from '../app.ts';
import { isLong, type Random, seededRandom, seedOfRun } from '../random.ts';

const app = await startTestApp();
after(() => app[Symbol.asyncDispose]());
const session = await app.signIn(app.owner.email);
const port = Number(new URL(app.url).port);

const ROUNDS = isLong ? 50_000 : 600;
const RAW_ROUNDS = isLong ? 5_000 : 100;
const ANSWER_MS_MAX = 10_000;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE', 'PURGE'];
const SEGMENTS = [
  'api',
  'projects',
  'environments',
  'organizations',
  'users',
  'personal_api_keys',
  'members',
  'invites',
  'login',
  'signup',
  'logout',
  'docs',
  'schema',
  'metrics',
  '@current',
  '@me',
  'reset_token',
  'roll',
  '_readiness',
  '..',
  '.',
  '%',
  '%00',
  '%ff',
  '%2e%2e',
  '%F0%9F%98%80',
  '',
  ' ',
  '*',
  ':id',
  '0',
  '1',
  '-1',
  '2147483648',
  '1e3',
  'null',
  '__proto__',
  'constructor',
  'x'.repeat(600),
  "' or 1=1 --",
  '\\',
  ';',
  '018f5a0e-0000-0000-8000-3b1f6e0c9a11',
  app.organization.id,
  String(app.project.id),
  app.owner.uuid,
];
const NAMES = [
  'name',
  'timezone',
  'app_urls',
  'modifiers',
  'email',
  'password',
  'current_password',
  'level',
  'target_email',
  'first_name',
  'label',
  'scopes',
  'scoped_teams',
  'scoped_organizations',
  'set_current_team',
  'set_current_organization',
  'personal_api_key',
  'hedgehog_config',
  'week_start_day',
  '__proto__',
  'constructor',
  'toString',
  '',
  '\u0000',
  'survey_config',
  'test_account_filters',
  'notification_settings',
  'theme_mode',
];

function anyValue(random: Random, depth = 0): unknown {
  const leaves: (() => unknown)[] = [
    () => null,
    () => random.chance(0.5),
    () => random.int(100) - 50,
    () => 1e308 * random.next(),
    () => 2 ** 53 + random.int(10),
    () => '',
    () => 'a'.repeat(random.int(2000)),
    () => '\u0000',
    () => '\ud800',
    () => '😀'.repeat(random.int(100)),
    () => random.bytes(20).toString('latin1'),
    () => '*',
    () => 'dashboard:read',
    () => app.organization.id,
    () => app.owner.email,
    () => 'Europe/Berlin',
  ];
  if (depth < 6 && random.chance(0.3)) {
    const length = random.int(5);
    return random.chance(0.5)
      ? Array.from({ length }, () => anyValue(random, depth + 1))
      : Object.fromEntries(Array.from({ length }, () => [random.pick(NAMES), anyValue(random, depth + 1)]));
  }
  return random.pick(leaves)();
}

function anyBody(random: Random): { body?: Buffer; type?: string } {
  const kind = random.int(10);
  if (kind === 0) return {};
  if (kind === 1) return { body: random.bytes(random.int(300)), type: 'application/json' };
  if (kind === 2) return { body: Buffer.from('['.repeat(random.int(50_000))), type: 'application/json' };
  if (kind === 3) return { body: random.bytes(random.int(300)), type: 'multipart/form-data; boundary=x' };
  if (kind === 4) {
    const pairs = Array.from({ length: random.int(6) }, (): [string, string] => [
      random.pick(NAMES),
      String(anyValue(random, 9)),
    ]);
    return { body: Buffer.from(new URLSearchParams(pairs).toString()), type: 'application/x-www-form-urlencoded' };
  }
  const entries = Array.from({ length: random.int(8) }, () => [random.pick(NAMES), anyValue(random)]);
  const text = JSON.stringify(random.chance(0.9) ? Object.fromEntries(entries) : anyValue(random));
  const cut = random.chance(0.1) ? text.slice(0, random.int(text.length)) : text;
  return {
    body: Buffer.from(cut),
    type: random.pick(['application/json', 'application/json; charset=utf-8', 'text/plain', '', 'a/b/c;;;']),
  };
}

function anyCredential(random: Random): Record<string, string> {
  return random.pick<Record<string, string>>([
    {},
    { authorization: `Bearer ${app.key}` },
    { authorization: `Bearer ${app.key}` },
    { authorization: `Bearer ${app.key}` },
    { cookie: session.cookie, 'x-csrftoken': session.csrf },
    { cookie: session.cookie },
    { authorization: 'Bearer' },
    { authorization: 'Bearer  ' },
    { authorization: `Bearer phx_${'x'.repeat(random.int(3000))}` },
    { authorization: `Bearer ${random.bytes(20).toString('base64')}` },
    { cookie: `sessionid=${random.bytes(30).toString('base64')}; ${'a=b;'.repeat(random.int(200))}` },
    { cookie: '=;;=; sessionid' },
  ]);
}

const anyHeaders = (random: Random): Record<string, string> =>
  random.pick<Record<string, string>>([
    {},
    {},
    { accept: random.pick(['', '*', 'text/html', 'application/json;q=zero', ',,,', '*/*']) },
    { origin: random.pick(['null', 'https://x', '\u00e9', 'x'.repeat(2000)]) },
    {
      'x-request-id': random
        .bytes(30)
        .toString('latin1')
        .replace(/[^\x20-\x7e]/g, '?'),
    },
    { host: random.pick(['', 'a b', '[::1', 'x'.repeat(300), 'evil.example:99999']) },
    { 'x-forwarded-for': "1.2.3.4, ' or 1=1" },
    { 'content-encoding': 'gzip' },
    { expect: '100-continue' },
  ]);

interface Sent {
  method: string;
  path: string;
  status: number;
}

function sendAny(random: Random): Promise<Sent> {
  const method = random.pick(METHODS);
  const depth = random.int(7);
  const path = `/${Array.from({ length: depth }, () => random.pick(SEGMENTS)).join('/')}`;
  const query = random.chance(0.3)
    ? `?${random.pick(['limit', 'offset', 'token', 'personal_api_key', '%', 'a[]'])}=${random.pick(['', '-1', '1e9', '%', 'x', '%00'])}`
    : '';
  const { body, type } = anyBody(random);
  const headers = {
    ...anyCredential(random),
    ...anyHeaders(random),
    ...(type !== undefined && { 'content-type': type }),
  };
  // The fuzzed account must stay usable: whatever would end its own access goes to a path that does not exist.
  const wouldHurt = /logout|personal_api_keys|members|organizations/.test(path) && method === 'DELETE';
  return new Promise((resolve, reject) => {
    const options = {
      port,
      method,
      path: encodePath((wouldHurt ? '/api/none' : path) + query),
      headers: sendable(headers),
      timeout: ANSWER_MS_MAX,
    };
    const request = httpRequest(options, (response) => {
      response.resume().on('end', () => resolve({ method, path, status: response.statusCode ?? 0 }));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer to ${method} ${path}`)));
    // A connection that the server closed in the middle of nonsense is an answer too.
    request.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve({ method, path, status: 400 }) : reject(error),
    );
    request.end(method === 'GET' || method === 'HEAD' || method === 'TRACE' ? undefined : body);
  });
}

const encodePath = (path: string) => path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character));
const sendable = (headers: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\x7e\x80-\xff]/g, '')]),
  );

test(`nonsense in paths, headers, keys and bodies is refused, never a failure (seed ${seedOfRun})`, async () => {
  const random = seededRandom(seedOfRun);
  const seen = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 10) {
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendAny(random)));
    for (const { method, path, status } of answers) {
      seen.set(status, (seen.get(status) ?? 0) + 1);
      assert.ok(status < 500, `${method} ${path} answered ${status}\n${failures().join('\n')}`);
    }
  }
  // The fuzzer must get past the gate, or it tests nothing.
  assert.ok((seen.get(200) ?? 0) > ROUNDS / 100 && (seen.get(400) ?? 0) > ROUNDS / 100, JSON.stringify([...seen]));
});

const failures = () => app.lines.filter((line) => line.includes('request failed')).slice(-1);

/** Bytes that are hardly HTTP at all. */
function sendRaw(bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.setTimeout(ANSWER_MS_MAX, () => socket.destroy(new Error('hangs')));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? resolve(answer) : reject(error),
    );
    socket.on('close', () => resolve(answer));
    socket.end(bytes);
  });
}

test(`bytes that are hardly HTTP are refused and forgotten (seed ${seedOfRun})`, async () => {
  const random = seededRandom(seedOfRun + 1);
  const valid = Buffer.from(
    `PATCH /api/projects/1/ HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nContent-Type: application/json\r\nContent-Length: 12\r\nConnection: close\r\n\r\n{"name":"x"}`,
  );
  for (let round = 0; round < RAW_ROUNDS; round += 1) {
    const bytes = Buffer.from(valid);
    for (let change = random.int(6); change >= 0; change -= 1) bytes[random.int(bytes.length)] = random.int(256);
    const answer = await sendRaw(random.chance(0.1) ? random.bytes(random.int(500)) : bytes);
    assert.ok(!/^HTTP\/1.1 5/.test(answer), `${JSON.stringify(bytes.toString('latin1'))}\n${answer}`);
  }
});

test('after all that the server answers as before, and holds no more memory than a quiet one would', async () => {
  assert.equal((await app.send('GET', `/api/projects/${app.project.id}/`, { key: app.key })).status, 200);
  const connections = await new Promise<number>((resolve, reject) =>
    app.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
  assert.ok(connections < 50, `${connections} connections are still open`);
  app.lines.length = 0;
  const before = heapAfterCollection();
  for (let round = 0; round < 300; round += 1) await sendAny(seededRandom(seedOfRun + round));
  app.lines.length = 0;
  const grown = heapAfterCollection() - before;
  assert.ok(grown < 16 * 1024 * 1024, `the heap grew by ${grown} bytes`);
});

function heapAfterCollection(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
