// How the current posthog-js delivers what it has: packed or not, while a page is left, over bad lines, and with
// everything that a project can turn on.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';
import { openShop, type Shop } from './shop.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';
import { ALONE, assertContent, distinctId, leave, QUIET, stored, waitForAny } from './visits.ts';

let program: WholeProgram;
let shop: Shop;
before(async () => {
  [program, shop] = await Promise.all([openWholeProgram(), openShop()]);
});

test('leaving the page: what is queued and the page leave go out by a beacon, and are stored once', async () => {
  const visit = await shop.visit(
    program.token,
    program.url,
    `{ ${ALONE}, request_queue_config: { flush_interval_ms: 5000 } }`,
  );
  const id = await distinctId(visit);
  await stored(program, [id], '$pageview');
  await visit.run(`posthog.capture('queued'), undefined`);
  await leave(visit);
  const [, queued, left] = await stored(program, [id], '$pageview', 'queued', '$pageleave');
  assert.equal(left?.properties.$current_url, `${shop.url}/`);
  assert.equal(queued?.properties.$session_id, left?.properties.$session_id);
});

test('a page that runs wild: the SDK holds it back, and says so in a warning', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  const kept = await visit.run<number>(`{
    let kept = 0;
    for (let index = 0; index < 300; index += 1) if (posthog.capture('wild')) kept += 1;
    kept;
  }`);
  assert.ok(kept < 300);
  await stored(program, [id], ...Array(kept).fill('wild'));
  assert.ok((await program.warningTypes()).includes('client_ingestion_warning'));
  await visit.page.context().close();
});

/** What a project could turn on, as its own `array.js` would say it. */
const EVERYTHING = {
  supportedCompression: ['gzip', 'gzip-js'],
  hasFeatureFlags: false,
  autocapture_opt_out: false,
  analytics: { endpoint: '/i/v0/e/' },
  elementsChainAsString: true,
  capturePerformance: { network_timing: false, web_vitals: true },
  autocaptureExceptions: true,
  heatmaps: true,
  surveys: false,
  sessionRecording: { endpoint: '/s/', recorderVersion: 'v2', consoleLogRecordingEnabled: false, sampleRate: null },
};

test('with everything turned on: clicks and errors are stored; recordings and heat maps are taken and counted', async () => {
  const before = await program.settled();
  const init = '{ request_queue_config: { flush_interval_ms: 250 }, capture_pageview: false }';
  const visit = await shop.visit(program.token, program.url, init, { remoteConfig: EVERYTHING });
  const id = await distinctId(visit);
  await visit.page.click('#buy');
  await visit.run(`setTimeout(() => { throw new RangeError('too many hedgehogs'); }, 0), undefined`);
  const [click] = await waitForAny(program, [id], '$autocapture');
  assert.match(click?.elements_chain ?? '', /^button\.big\.button:.*text="Buy now"/);
  const [thrown] = await waitForAny(program, [id], '$exception');
  assert.equal(thrown?.properties.$exception_list[0].value, 'too many hedgehogs');
  const dropped = async (reason: string) =>
    ((await program.settled()).dropped[reason] ?? 0) > (before.dropped[reason] ?? 0);
  await eventually('a recording', () => dropped('replay_not_supported'));
  await visit.page.goto(`${shop.url}/elsewhere`);
  await eventually('a heat map', () => dropped('heatmap_not_supported'));
  const paths = new Set(visit.requests.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname));
  assert.ok(paths.has('/i/v0/e/') && paths.has('/s/'), [...paths].join());
  assert.deepEqual(
    visit.faults.filter((fault) => !fault.includes('too many hedgehogs')),
    [],
  );
  await visit.page.context().close();
});

test('without cookies: the SDK is content, and the project is told that such events are not stored', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${ALONE}, cookieless_mode: 'always' }`);
  await eventually('the page view', () => visit.requests.some(({ status }) => status === 200));
  assert.ok((await program.warningTypes()).includes('cookieless_not_supported'));
  assert.deepEqual(await program.eventsOf('$posthog_cookieless'), []);
  await leave(visit);
});

const isGzip = ({ body }: { body: Buffer }) => body[0] === 0x1f && body[1] === 0x8b;

test('compression: gzip without a word of it by default, and plain JSON after a preflight when it is off', async () => {
  const packed = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const plain = await shop.visit(program.token, program.url, `{ ${QUIET}, disable_compression: true }`);
  for (const visit of [packed, plain]) {
    const id = await distinctId(visit);
    await visit.run(`posthog.capture('sent'), undefined`);
    await stored(program, [id], 'sent');
  }
  const [one, other] = [packed, plain].map(({ requests }) => requests.find(({ method }) => method === 'POST'));
  assert.deepEqual([one?.type, one && isGzip(one), one?.url.search], ['text/plain', true, '']);
  assert.deepEqual([other?.type, other && isGzip(other)], ['application/json', false]);
  await leave(packed);
  await leave(plain);
});

test('compression off, leaving: the beacon carries base64 in a form', async () => {
  const init = `{ ${QUIET}, disable_compression: true, request_queue_config: { flush_interval_ms: 5000 } }`;
  await using proxy = await startFaultyProxy(program.url, []);
  const visit = await shop.visit(program.token, proxy.url, init);
  const id = await distinctId(visit);
  await visit.run(`posthog.capture('queued'), undefined`);
  await leave(visit);
  await stored(program, [id], 'queued');
  assert.deepEqual(
    proxy.seen.map(({ url, type }) => `${url.pathname}${url.search} ${type}`),
    ['/e/?compression=base64 application/x-www-form-urlencoded'],
  );
});

test('as most pages use it, with nothing configured: page views, clicks and leaving are stored, each once', async () => {
  const visit = await shop.visit(program.token, program.url);
  const id = await distinctId(visit);
  await visit.run(`posthog.capture('plain'), undefined`);
  // Clicks count once the remote configuration has said so.
  await eventually('clicks that count', () => visit.run<boolean>('posthog.autocapture.isEnabled'));
  await visit.page.click('#buy');
  await waitForAny(program, [id], '$autocapture');
  await visit.page.goto(`${shop.url}/elsewhere`);
  await waitForAny(program, [id], '$pageleave');
  const names = (await program.eventsOf(id)).map(({ event }) => event);
  for (const name of ['$pageview', 'plain', '$autocapture', '$pageleave']) {
    assert.equal(names.filter((each) => each === name).length, 1, names.join());
  }
  const paths = visit.requests.filter(({ method }) => method === 'POST').map(({ url }) => url.pathname);
  assert.deepEqual([...new Set(paths)].sort(), ['/e/', '/i/v0/e/']);
  assertContent(visit);
  await visit.page.context().close();
});

const faults: [title: string, fault: Fault][] = [
  ['a busy server', { refuse: 503 }],
  ['an answer that is lost', 'lose the answer'],
];
for (const [title, fault] of faults) {
  test(`${title}: the page sends again when it is left, and each event is stored once`, async () => {
    await using proxy = await startFaultyProxy(program.url, [fault]);
    const visit = await shop.visit(program.token, proxy.url, `{ ${QUIET}, disable_compression: false }`);
    const id = await distinctId(visit);
    await visit.run(`posthog.capture('kept', {}, { send_instantly: true }), undefined`);
    await eventually('the fault', () => proxy.fates.length === 1);
    await eventually('the page knows', () => visit.faults.length > 0);
    await visit.page.goto(`${shop.url}/elsewhere`);
    await eventually('the beacon', () => proxy.fates.length === 2);
    await stored(program, [id], 'kept');
    await visit.page.context().close();
  });
}
