// The current posthog-js, unmodified, in a real browser on another origin: every public call that sends something.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { openShop, type Shop } from './shop.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';
import { ALONE, distinctId, leave, QUIET, stored, waitForAny } from './visits.ts';

let program: WholeProgram;
let shop: Shop;
before(async () => {
  [program, shop] = await Promise.all([openWholeProgram(), openShop()]);
});

test('a page view: where, with what browser, in which session, and nobody is made a person', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${ALONE} }`, {
    path: '/?utm_source=newsletter',
  });
  const id = await distinctId(visit);
  const [pageview] = await stored(program, [id], '$pageview');
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
  const [plain, dated] = await stored(program, [id], 'plain', 'dated', 'setting', 'now');
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
  await stored(program, [anonymous], 'before');
  await visit.run(`posthog.identify('${id}', { email: 'ada@example.com' }, { source: 'ad' })`);
  await visit.run(`posthog.capture('after'), undefined`);
  const [identified, afterwards] = await stored(program, [id], '$identify', 'after');
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
  const events = await waitForAny(program, [id, alias], '$create_alias');
  assert.partialDeepStrictEqual(events[0]?.properties, { alias, distinct_id: id });
  const [one, other] = [await program.personOf(id), await program.personOf(alias)];
  assert.ok(one);
  assert.equal(one.uuid, other?.uuid);
  await leave(visit);
});

test('group: the group has its properties, later events name it, and none do after resetGroups', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [id, key] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.group('company', '${key}', { name: 'Acme' })`);
  await visit.run(`posthog.capture('at work'), undefined`);
  await visit.run('posthog.resetGroups()');
  await visit.run(`posthog.capture('at home'), undefined`);
  const [told, atWork, atHome] = await stored(program, [id], '$groupidentify', 'at work', 'at home');
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
  const [withAll, without] = await stored(program, [id], 'with', 'without');
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
  await stored(program, [id], '$set', '$set', '$set', '$set');
  const { properties } = (await program.personOf(id))!;
  assert.partialDeepStrictEqual(properties, { plan: 'pro', theme: 'dark', first: 1 });
  assert.equal('trial' in properties, false);
  await leave(visit);
});

test('capture with $unset: the person has it no more', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.setPersonProperties({ plan: 'pro', trial: true })`);
  // The SDK sends events with such options at once, before those that wait in its queue.
  await stored(program, [id], '$set');
  await visit.run(`posthog.capture('trial over', {}, { $unset: ['trial'] }), undefined`);
  await stored(program, [id], '$set', 'trial over');
  const { properties } = (await program.personOf(id))!;
  await leave(visit);
  assert.deepEqual([properties.plan, 'trial' in properties], ['pro', false]);
});

test('createPersonProfile: from then on the visitor is a person', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run('posthog.createPersonProfile()');
  await visit.run(`posthog.capture('as a person'), undefined`);
  await stored(program, [id], '$set', 'as a person');
  assert.deepEqual((await program.personOf(id))?.distinct_ids, [id]);
  await leave(visit);
});

test('set_config: what it changes holds for the next event', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.set_config({ property_denylist: ['$raw_user_agent'], before_send: (event) => {
    event.properties.stamped = true; return event; } })`);
  await visit.run(`posthog.capture('changed'), undefined`);
  const [changed] = await stored(program, [id], 'changed');
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
  const [click] = await stored(program, [id], '$autocapture');
  assert.partialDeepStrictEqual(click?.properties, { $event_type: 'click', $el_text: 'Buy now' });
  assert.match(click?.elements_chain ?? '', /^button\.big\.button:.*attr__data-attr="buy-button".*;body:/);
  assert.equal('$elements' in click!.properties || '$elements_chain' in click!.properties, false);
  await leave(visit);
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
  await stored(program, [id], 'while in', '$opt_in', 'in again');
  await leave(visit);
});

test('reset: a new visitor on the same device', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const [anonymous, known] = [await distinctId(visit), randomUUID()];
  await visit.run(`posthog.identify('${known}')`);
  await visit.run('posthog.reset()');
  const next = await distinctId(visit);
  await visit.run(`posthog.capture('someone else'), undefined`);
  const [event] = await stored(program, [next], 'someone else');
  assert.notEqual(next, anonymous);
  assert.equal(event?.properties.$device_id, anonymous);
  assert.ok(event?.properties.$last_posthog_reset);
  await stored(program, [known], '$identify');
  await leave(visit);
});

test('captureException: the error with its stack', async () => {
  const visit = await shop.visit(program.token, program.url, `{ ${QUIET} }`);
  const id = await distinctId(visit);
  await visit.run(`posthog.captureException(new TypeError('no such hedgehog'), { order: 7 }), undefined`);
  const [event] = await stored(program, [id], '$exception');
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
  const [called, afterwards] = await stored(program, [id], '$feature_flag_called', 'after');
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
    program,
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
