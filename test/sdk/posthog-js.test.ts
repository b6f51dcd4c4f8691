// The current posthog-js, unmodified, in a real browser on another origin: every public call that sends something.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { type Fault, startFaultyProxy } from './faulty-proxy.ts';
import { openShop, type Shop, type Visit } from './shop.ts';
import { type StoredEvent, startWholeProgram, type WholeProgram } from './stored.ts';

/** Neither flags nor remote configuration, and little waiting. */
const ALONE = 'advanced_disable_flags: true, request_queue_config: { flush_interval_ms: 250 }';
/** The same, without the events that come by themselves. */
const QUIET = `${ALONE}, capture_pageview: false, capture_pageleave: false, autocapture: false`;

let program: WholeProgram;
let shop: Shop;
before(async () => {
  [program, shop] = await Promise.all([startWholeProgram(), openShop()]);
});
after(async () => {
  await shop?.[Symbol.asyncDispose]();
  await program?.[Symbol.asyncDispose]();
});

const distinctId = ({ run }: Visit) => run<string>('posthog.get_distinct_id()');

/** Waits for so many events of these ids, and lets no one arrive twice or unasked. */
async function stored(ids: string[], ...wanted: string[]): Promise<StoredEvent[]> {
  let events: StoredEvent[] = [];
  const enough = async () => {
    events = await program.eventsOf(...ids);
    return events.length >= wanted.length;
  };
  await eventually(`${wanted.length} events`, enough, 20_000).catch(() => {});
  assert.deepEqual(events.map(({ event }) => event).sort(), wanted.toSorted());
  return wanted.map((name) => events.find(({ event }) => event === name)!);
}

function assertContent({ faults, requests }: Visit): void {
  assert.deepEqual(faults, []);
  assert.deepEqual(
    requests
      .filter(({ status }) => status !== undefined && status !== 200)
      .map(({ url, status }) => `${url} ${status}`),
    [],
  );
}

/** A visitor who is done: what the page still has is sent, and what it complained of is looked at. */
async function leave(visit: Visit): Promise<void> {
  await visit.page.goto(`${shop.url}/elsewhere`);
  assertContent(visit);
  await visit.page.context().close();
}

test('a page view: where, with what browser, in which session, and nobody is made a person', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${ALONE} }`, {
    path: '/?utm_source=newsletter',
  });
  const id = await distinctId(visit);
  const [pageview] = await stored([id], '$pageview');
  assert.partialDeepStrictEqual(pageview?.properties, {
    distinct_id: id,
    $device_id: id,
    $current_url: `${shop.url}/?utm_source=newsletter`,
    $pathname: '/',
    $browser: 'Chrome',
    $os: 'Linux',
    $lib: 'web',
    $lib_version: '1.434.18',
    title: 'Shop',
    utm_source: 'newsletter',
    $process_person_profile: false,
    $is_identified: false,
  });
  assert.match(pageview?.properties.$session_id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  assert.equal(await program.personOf(id), undefined);
  assert.ok(Math.abs(Date.parse(pageview!.timestamp) - Date.now()) < 60_000);
  await leave(visit);
});

test('capture: properties, time, uuid and person properties as they were given', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET}, person_profiles: 'always' }`);
  const id = await distinctId(visit);
  const uuid = randomUUID();
  const timestamp = new Date(Date.now() - 86_400_000);
  await visit.run(`posthog.capture('plain', { a: 1, list: [1, null, 'x'], text: 'Zoë 🦔' }), undefined`);
  await visit.run(
    `posthog.capture('dated', {}, { timestamp: new Date(${timestamp.getTime()}), uuid: '${uuid}' }), undefined`,
  );
  await visit.run(`posthog.capture('setting', {}, { $set: { plan: 'pro' }, $set_once: { first: 1 } }), undefined`);
  await visit.run(`posthog.capture('now', {}, { send_instantly: true }), undefined`);
  const [plain, dated] = await stored([id], 'plain', 'dated', 'setting', 'now');
  assert.partialDeepStrictEqual(plain?.properties, { a: 1, list: [1, null, 'x'], text: 'Zoë 🦔' });
  assert.equal(dated?.id, uuid);
  assert.equal(dated?.properties.$event_time_override_provided, true);
  assert.ok(Math.abs(Date.parse(dated!.timestamp) - timestamp.getTime()) < 5_000, dated?.timestamp);
  assert.partialDeepStrictEqual((await program.personOf(id))?.properties, { plan: 'pro', first: 1 });
  await leave(visit);
});

test('identify: the anonymous visitor and the known person are one, with what was set', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [anonymous, id] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.capture('before', {}, { send_instantly: true }), undefined`);
  await stored([anonymous], 'before');
  await visit.run(`posthog.identify('${id}', { email: 'ada@example.com' }, { source: 'ad' })`);
  await visit.run(`posthog.capture('after'), undefined`);
  const [identified, afterwards] = await stored([id], '$identify', 'after');
  assert.partialDeepStrictEqual(identified?.properties, {
    $anon_distinct_id: anonymous,
    $user_id: id,
    $set: { email: 'ada@example.com' },
    $set_once: { source: 'ad', $initial_current_url: `${shop.url}/` },
  });
  assert.equal(afterwards?.properties.$is_identified, true);
  const person = await program.personOf(anonymous);
  assert.deepEqual(person?.distinct_ids.toSorted(), [anonymous, id].sort());
  assert.partialDeepStrictEqual(person?.properties, { email: 'ada@example.com', source: 'ad' });
  await leave(visit);
});

test('alias: both ids are one person', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [id, alias] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.alias('${alias}'), undefined`);
  const events = await waitForAny([id, alias], '$create_alias');
  assert.partialDeepStrictEqual(events[0]?.properties, { alias, distinct_id: id });
  const [one, other] = [await program.personOf(id), await program.personOf(alias)];
  assert.ok(one);
  assert.equal(one.uuid, other?.uuid);
  await leave(visit);
});

/** The first events of this name, whatever else comes along. */
async function waitForAny(ids: string[], name: string): Promise<StoredEvent[]> {
  let events: StoredEvent[] = [];
  await eventually(`an event ${name}`, async () => {
    events = (await program.eventsOf(...ids)).filter(({ event }) => event === name);
    return events.length > 0;
  });
  return events;
}

test('group: the group has its properties, later events name it, and none do after resetGroups', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [id, key] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.group('company', '${key}', { name: 'Acme' })`);
  await visit.run(`posthog.capture('at work'), undefined`);
  await visit.run('posthog.resetGroups()');
  await visit.run(`posthog.capture('at home'), undefined`);
  const [told, atWork, atHome] = await stored([id], '$groupidentify', 'at work', 'at home');
  assert.partialDeepStrictEqual(told?.properties, { $group_type: 'company', $group_key: key });
  const { index, group } = await program.group('company', key);
  assert.deepEqual(group?.group_properties, { name: 'Acme' });
  assert.equal(atWork?.properties[`$group_${index}`], key);
  assert.equal(atHome?.properties[`$group_${index}`], undefined);
  await leave(visit);
});

test('register, register_once, register_for_session and unregister: on every event while they hold', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(
    `posthog.register({ plan: 'pro', theme: 'dark' }), posthog.register_once({ plan: 'free', ref: 'x' })`,
  );
  await visit.run(`posthog.register_for_session({ campaign: 'spring' })`);
  await visit.run(`posthog.capture('with'), undefined`);
  await visit.run(`posthog.unregister('theme'), posthog.unregister_for_session('campaign')`);
  await visit.run(`posthog.capture('without'), undefined`);
  const [withAll, without] = await stored([id], 'with', 'without');
  assert.partialDeepStrictEqual(withAll?.properties, { plan: 'pro', theme: 'dark', ref: 'x', campaign: 'spring' });
  assert.partialDeepStrictEqual(without?.properties, { plan: 'pro', ref: 'x' });
  assert.equal('theme' in without!.properties || 'campaign' in without!.properties, false);
  await leave(visit);
});

test('setPersonProperties, people.set, people.set_once and unsetPersonProperties: the person has what is left', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.setPersonProperties({ plan: 'pro', trial: true }, { first: 1 })`);
  await visit.run(`posthog.people.set({ theme: 'dark' }), posthog.people.set_once({ first: 2 })`);
  await visit.run(`posthog.unsetPersonProperties('trial')`);
  await stored([id], '$set', '$set', '$set', '$set');
  const { properties } = (await program.personOf(id))!;
  assert.partialDeepStrictEqual(properties, { plan: 'pro', theme: 'dark', first: 1 });
  assert.equal('trial' in properties, false);
  await leave(visit);
});

test('createPersonProfile: from then on the visitor is a person', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run('posthog.createPersonProfile()');
  await visit.run(`posthog.capture('as a person'), undefined`);
  await stored([id], '$set', 'as a person');
  assert.deepEqual((await program.personOf(id))?.distinct_ids, [id]);
  await leave(visit);
});

test('set_config: what it changes holds for the next event', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.set_config({ property_denylist: ['$raw_user_agent'], before_send: (event) => {
    event.properties.stamped = true; return event; } })`);
  await visit.run(`posthog.capture('changed'), undefined`);
  const [changed] = await stored([id], 'changed');
  assert.equal(changed?.properties.stamped, true);
  assert.equal('$raw_user_agent' in changed!.properties, false);
  await leave(visit);
});

test('autocapture: a click becomes an event with the way to its element', async () => {
  const visit = await shop.visit(
    program.token,
    program.url,
    `{ ${ALONE}, capture_pageview: false, capture_pageleave: false }`,
  );
  const id = await distinctId(visit);
  await visit.page.click('#buy');
  const [click] = await stored([id], '$autocapture');
  assert.partialDeepStrictEqual(click?.properties, { $event_type: 'click', $el_text: 'Buy now' });
  assert.match(click?.elements_chain ?? '', /^button\.big\.button:.*attr__data-attr="buy-button".*;body:/);
  assert.equal('$elements' in click!.properties || '$elements_chain' in click!.properties, false);
  await leave(visit);
});

test('leaving the page: what is queued and the page leave go out by a beacon, and are stored once', async () => {
  const visit = await shop.visit(
    program.token,
    program.url,
    `{ ${ALONE}, request_queue_config: { flush_interval_ms: 5000 } }`,
  );
  const id = await distinctId(visit);
  await stored([id], '$pageview');
  await visit.run(`posthog.capture('queued'), undefined`);
  await leave(visit);
  const [, queued, left] = await stored([id], '$pageview', 'queued', '$pageleave');
  assert.equal(left?.properties.$current_url, `${shop.url}/`);
  assert.equal(queued?.properties.$session_id, left?.properties.$session_id);
});

test('opting out and in: only what happens while in is stored', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.capture('while in'), undefined`);
  await visit.run('posthog.opt_out_capturing()');
  await visit.run(`posthog.capture('while out'), undefined`);
  assert.equal(await visit.run('posthog.has_opted_out_capturing()'), true);
  await visit.run('posthog.opt_in_capturing()');
  await visit.run(`posthog.capture('in again'), undefined`);
  await stored([id], 'while in', '$opt_in', 'in again');
  await leave(visit);
});

test('reset: a new visitor on the same device', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [anonymous, known] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.identify('${known}')`);
  await visit.run('posthog.reset()');
  const next = await distinctId(visit);
  await visit.run(`posthog.capture('someone else'), undefined`);
  const [event] = await stored([next], 'someone else');
  assert.notEqual(next, anonymous);
  assert.equal(event?.properties.$device_id, anonymous);
  assert.ok(event?.properties.$last_posthog_reset);
  await stored([known], '$identify');
  await leave(visit);
});

test('captureException: the error with its stack', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.captureException(new TypeError('no such hedgehog'), { order: 7 }), undefined`);
  const [event] = await stored([id], '$exception');
  assert.partialDeepStrictEqual(event?.properties, { order: 7, $exception_level: 'error' });
  assert.partialDeepStrictEqual(event?.properties.$exception_list[0], { type: 'TypeError', value: 'no such hedgehog' });
  await leave(visit);
});

test('feature flags given by the page: their use is stored', async () => {
  const bootstrap = `bootstrap: { featureFlags: { 'new-checkout': 'test' } }`;
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET}, ${bootstrap} }`);
  const id = await distinctId(visit);
  assert.equal(await visit.run(`posthog.getFeatureFlag('new-checkout')`), 'test');
  await visit.run(`posthog.capture('after'), undefined`);
  const [called, afterwards] = await stored([id], '$feature_flag_called', 'after');
  assert.partialDeepStrictEqual(called?.properties, {
    $feature_flag: 'new-checkout',
    $feature_flag_response: 'test',
    '$feature/new-checkout': 'test',
  });
  assert.equal(afterwards?.properties['$feature/new-checkout'], 'test');
  await leave(visit);
});

test('early access, traces of models and test users: each call is stored', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET}, person_profiles: 'always' }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.updateEarlyAccessFeatureEnrollment('beta', true)`);
  await visit.run(`posthog.captureTraceFeedback('trace-1', 'helpful')`);
  await visit.run(`posthog.captureTraceMetric('trace-1', 'score', 5)`);
  await visit.run('posthog.setInternalOrTestUser()');
  const [enrolled, feedback, metric] = await stored(
    [id],
    '$feature_enrollment_update',
    '$ai_feedback',
    '$ai_metric',
    '$set',
  );
  assert.partialDeepStrictEqual(enrolled?.properties, { $feature_flag: 'beta', $feature_enrollment: true });
  assert.partialDeepStrictEqual(feedback?.properties, { $ai_trace_id: 'trace-1', $ai_feedback_text: 'helpful' });
  assert.partialDeepStrictEqual(metric?.properties, { $ai_metric_name: 'score', $ai_metric_value: '5' });
  assert.equal((await program.personOf(id))?.properties['$feature_enrollment/beta'], true);
  await leave(visit);
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
  await stored([id], ...Array(kept).fill('wild'));
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
  const [click] = await waitForAny([id], '$autocapture');
  assert.match(click?.elements_chain ?? '', /^button\.big\.button:.*text="Buy now"/);
  const [thrown] = await waitForAny([id], '$exception');
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
    await stored([id], 'sent');
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
  await stored([id], 'queued');
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
  await waitForAny([id], '$autocapture');
  await visit.page.goto(`${shop.url}/elsewhere`);
  await waitForAny([id], '$pageleave');
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
    await stored([id], 'kept');
    await visit.page.context().close();
  });
}
