// The twelve rules that lose data or break a shipped client when they are not kept. What flags answer (R6, R9, R10) is
// told in full where flags are tested; here it is only that they do.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, suite, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openWholeProgram, type WholeProgram } from './stored.ts';

const PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/track', '/engage', '/s'];
const BOTH_FORMS = PATHS.flatMap((path) => [path, `${path}/`]);
const STORING = BOTH_FORMS.filter((path) => !path.startsWith('/s'));

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

const makeEvent = (more: object = {}) => ({ event: 'rule', distinct_id: randomUUID(), properties: {}, ...more });

/** Posts without following redirects, as a browser's first request goes out. */
function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(program.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', ...headers },
    body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body),
  });
}

// Each has a person of its own, so they need not wait for each other.
suite('rules', { concurrency: 8 }, () => {
  for (const path of BOTH_FORMS) {
    test(`R1, R2: ${path} answers 200 with a JSON object, at once and not by a redirect`, async () => {
      const response = await post(path, { api_key: program.token, ...makeEvent() });
      assert.deepEqual([response.status, await response.json()], [200, { status: 'Ok' }]);
      assert.match(response.headers.get('content-type') ?? '', /^application\/json/);
    });
  }

  test('R1: only beacon=1 is answered with 204', async () => {
    const statuses: number[] = [];
    for (const query of ['?beacon=1', '?beacon=0', '?beacon=true', '?beacon=', '?beacon']) {
      statuses.push((await post(`/e/${query}`, { api_key: program.token, ...makeEvent() })).status);
    }
    assert.deepEqual(statuses, [204, 200, 200, 200, 200]);
  });

  const misleading: [title: string, query: string, headers: Record<string, string>][] = [
    ['text/plain and nothing else', '', { 'content-type': 'text/plain' }],
    ['JSON', '', { 'content-type': 'application/json' }],
    ['nothing', '', { 'content-type': '' }],
    ['base64 in the query', '?compression=base64', { 'content-type': 'text/plain' }],
    ['lz64 in the query', '?compression=lz64', { 'content-type': 'text/plain' }],
    ['an unknown compression', '?compression=zip', { 'content-type': 'text/plain' }],
    ['gzip, three times over', '?compression=gzip-js', { 'content-type': 'text/plain', 'content-encoding': 'gzip' }],
  ];
  for (const [title, query, headers] of misleading) {
    test(`R3: gzip is known by its first bytes when the request says ${title}`, async () => {
      const event = makeEvent();
      const body = gzipSync(JSON.stringify({ api_key: program.token, ...event }));
      assert.equal((await post(`/i/v0/e/${query}`, body, headers)).status, 200);
      assert.equal((await program.eventsOf(event.distinct_id)).length, 1);
    });
  }

  for (const path of STORING) {
    test(`R4: ${path} takes one event, a list, an envelope, and one event with a key`, async () => {
      const distinct_id = randomUUID();
      const { token } = program;
      const named = (event: string) => makeEvent({ event, distinct_id });
      const bodies = [
        { token, ...named('one') },
        [{ ...named('first of a list'), properties: { token } }, named('second of a list')],
        { api_key: token, batch: [named('first of a batch'), named('second of a batch')] },
        { api_key: token, ...named('with a key') },
      ];
      for (const body of bodies) assert.equal((await post(path, body)).status, 200);
      const names = (await program.eventsOf(distinct_id)).map(({ event }) => event).sort();
      assert.deepEqual(names, [
        'first of a batch',
        'first of a list',
        'one',
        'second of a batch',
        'second of a list',
        'with a key',
      ]);
    });
  }

  const places: [title: string, body: (token: string, id: string) => unknown][] = [
    ['token beside the event, id beside it', (token, id) => ({ token, event: 'rule', distinct_id: id })],
    ['api_key beside the event', (api_key, id) => ({ api_key, event: 'rule', distinct_id: id })],
    ['$token beside the event', ($token, id) => ({ $token, event: 'rule', distinct_id: id })],
    ['both among the properties', (token, id) => ({ event: 'rule', properties: { token, distinct_id: id } })],
    ['token on the envelope', (token, id) => ({ token, batch: [{ event: 'rule', distinct_id: id }] })],
    ['api_key on an event of a list', (api_key, id) => [{ api_key, event: 'rule', distinct_id: id }]],
    [
      'token among the properties of a list',
      (token, id) => [{ event: 'rule', properties: { token, distinct_id: id } }],
    ],
    [
      'key on each event of an envelope',
      (key, id) => ({ api_key: key, batch: [{ api_key: key, event: 'rule', distinct_id: id }] }),
    ],
    [
      'the outer id before the inner one',
      (token, id) => ({ token, event: 'rule', distinct_id: id, properties: { distinct_id: 'inner' } }),
    ],
  ];
  for (const [title, body] of places) {
    test(`R5: key and person are found: ${title}`, async () => {
      const distinct_id = randomUUID();
      assert.equal((await post('/e/', body(program.token, distinct_id))).status, 200);
      assert.equal((await program.eventsOf(distinct_id)).length, 1);
    });
  }

  for (const path of ['/flags', '/flags/', '/decide', '/decide/']) {
    test(`R6: ${path} takes the key as token and as api_key`, async () => {
      for (const key of ['token', 'api_key']) {
        const response = await post(`${path}?v=3`, { [key]: program.token, distinct_id: 'u' });
        assert.equal(response.status, 200, key);
        assert.equal(((await response.json()) as Record<string, unknown>).errorsWhileComputingFlags, false);
      }
    });
  }

  test('R7: a batch that is sent again is stored once, also by another way and with another time of sending', async () => {
    const distinct_id = randomUUID();
    const batch = ['one', 'two'].map((event) =>
      makeEvent({ event, distinct_id, uuid: randomUUID(), timestamp: new Date().toISOString() }),
    );
    const send = (path: string, sent_at: Date) =>
      post(path, { api_key: program.token, batch, sent_at: sent_at.toISOString() });
    assert.equal((await send('/batch/', new Date())).status, 200);
    assert.equal((await send('/batch/', new Date(Date.now() + 3_000))).status, 200);
    assert.equal((await send('/e/?retry_count=1', new Date(Date.now() + 9_000))).status, 200);
    const names = (await program.eventsOf(distinct_id)).map(({ event }) => event);
    assert.deepEqual(names.sort(), ['one', 'two']);
  });

  test('R7: the same uuid with another name, person or time is another event', async () => {
    const [distinct_id, other, uuid] = [randomUUID(), randomUUID(), randomUUID()];
    const timestamp = new Date().toISOString();
    const batch = [
      makeEvent({ distinct_id, uuid, timestamp }),
      makeEvent({ distinct_id, uuid, timestamp, event: 'another name' }),
      makeEvent({ distinct_id: other, uuid, timestamp }),
      makeEvent({ distinct_id, uuid, timestamp: new Date(Date.parse(timestamp) - 1_000).toISOString() }),
    ];
    assert.equal((await post('/batch/', { api_key: program.token, batch })).status, 200);
    assert.equal((await program.eventsOf(distinct_id, other)).length, 4);
  });

  test('R7: events without a uuid get one of their own each', async () => {
    const distinct_id = randomUUID();
    const batch = [makeEvent({ distinct_id }), makeEvent({ distinct_id })];
    await post('/batch/', { api_key: program.token, batch });
    const ids = new Set((await program.eventsOf(distinct_id)).map(({ id }) => id));
    assert.equal(ids.size, 2);
  });

  for (const path of BOTH_FORMS) {
    test(`R8: ${path} may be asked by a page of any origin, with its cookies and headers`, async () => {
      const origin = 'https://shop.example';
      const asked = await fetch(program.url + path, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-encoding,content-type,x-of-their-own',
        },
      });
      const answers = {
        preflight: asked,
        accepted: await post(path, { api_key: program.token, ...makeEvent() }, { origin }),
        refused: await post(path, { api_key: 'phc_nobody_has_this', ...makeEvent() }, { origin }),
        'not understood': await post(path, 'nonsense', { origin }),
      };
      assert.ok([200, 204].includes(asked.status));
      assert.equal(asked.headers.get('access-control-allow-headers'), 'content-encoding,content-type,x-of-their-own');
      assert.match(asked.headers.get('access-control-allow-methods') ?? '', /POST/);
      for (const [title, { headers }] of Object.entries(answers)) {
        assert.equal(headers.get('access-control-allow-origin'), origin, title);
        assert.equal(headers.get('access-control-allow-credentials'), 'true', title);
      }
    });
  }

  test('R9: the remote configuration says what browsers wait to hear', async () => {
    const response = await fetch(`${program.url}/array/${program.token}/config`);
    const config = (await response.json()) as Record<string, unknown>;
    assert.equal(response.status, 200);
    assert.equal(typeof config.autocapture_opt_out, 'boolean');
    assert.ok('sessionRecording' in config && 'hasFeatureFlags' in config);
    assert.ok((config.supportedCompression as string[]).includes('gzip-js'));
    const script = await fetch(`${program.url}/array/${program.token}/config.js`);
    assert.match(await script.text(), /_POSTHOG_REMOTE_CONFIG/);
  });

  for (const path of [
    '/flags/definitions',
    '/api/feature_flag/local_evaluation',
    '/api/feature_flag/local_evaluation/',
  ]) {
    test(`R10: ${path} has the definitions, and says when they are still the same`, async () => {
      const ask = (headers: Record<string, string> = {}) =>
        fetch(`${program.url}${path}?token=${program.token}&send_cohorts`, {
          headers: { authorization: `Bearer ${program.key}`, ...headers },
        });
      const first = await ask();
      const body = (await first.json()) as Record<string, unknown>;
      assert.equal(first.status, 200);
      assert.ok(Array.isArray(body.flags) && body.group_type_mapping && body.cohorts);
      const again = await ask({ 'if-none-match': first.headers.get('etag') ?? '' });
      assert.equal(again.status, 304);
    });
  }

  test('R11: what is stored is read under both prefixes', async () => {
    const event = makeEvent();
    await post('/capture/', { api_key: program.token, ...event });
    await program.eventsOf(event.distinct_id);
    const lists: unknown[] = [];
    for (const prefix of ['projects', 'environments']) {
      const { status, body } = await program.get(
        `/api/${prefix}/${program.project_id}/events/?distinct_id=${event.distinct_id}`,
      );
      assert.equal(status, 200);
      lists.push(body.results);
    }
    assert.deepEqual(lists[0], lists[1]);
    assert.equal((lists[0] as unknown[]).length, 1);
  });

  const odd: [title: string, body: (token: string) => unknown][] = [
    ['keys that nobody knows', (token) => ({ token, ...makeEvent({ frobnicate: [1, { a: 2 }] }) })],
    [
      'null where something optional may be',
      (token) => ({ token, ...makeEvent({ properties: null, timestamp: null, uuid: null, $set: null }) }),
    ],
    ['a time that is none', (token) => ({ token, ...makeEvent({ timestamp: 'yesterday, I think' }) })],
    ['an id that is a number', (token) => ({ token, ...makeEvent({ distinct_id: 12345 }) })],
    ['one bad event among good ones', (token) => ({ token, batch: [makeEvent(), { event: '' }, 7, makeEvent()] })],
    ['a time of sending that is none', (token) => ({ token, sent_at: 'soon', batch: [makeEvent()] })],
  ];
  for (const [title, body] of odd) {
    test(`R12: ${title}: no reason to refuse a request, for the client would throw it away`, async () => {
      assert.equal((await post('/batch/', body(program.token))).status, 200);
    });
  }

  test('R12: what cannot be decoded is refused for good, with a 4xx that says why', async () => {
    const bodies = ['{"api_key":', 'nonsense', '', '\x1f\x8b\x08 broken'];
    for (const body of bodies) {
      const response = await post('/batch/', Buffer.from(body, 'latin1'));
      const { detail } = (await response.json()) as { detail: string };
      assert.equal(response.status, 400, body);
      assert.ok(detail.length > 10, detail);
    }
  });
});
