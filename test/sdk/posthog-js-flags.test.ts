// The current posthog-js, unmodified, in a real browser on another origin: flags, early access and surveys.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { eventually } from '../eventually.ts';
import { openShop, type Shop, type Visit } from './shop.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';
import { distinctId, leave } from './visits.ts';

/** Flags and remote configuration as a page has them, without the events that come by themselves. */
const FLAGS =
  'request_queue_config: { flush_interval_ms: 250 }, capture_pageview: false, capture_pageleave: false, autocapture: false, disable_session_recording: true';

let program: WholeProgram;
let shop: Shop;
before(async () => {
  [program, shop] = await Promise.all([openWholeProgram(), openShop()]);
});

async function api(method: string, path: string, body?: object) {
  const response = await fetch(`${program.url}/api/projects/${program.project_id}${path}`, {
    method,
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  const answer: any = await response.json();
  assert.ok(response.ok, JSON.stringify(answer));
  return answer;
}

async function capture(event: object): Promise<void> {
  const body = JSON.stringify({ api_key: program.token, ...event });
  assert.equal((await fetch(`${program.url}/capture/`, { method: 'POST', body })).status, 200);
}

const is = (key: string, value: unknown) => [{ properties: [{ key, value, type: 'person' }], rollout_percentage: 100 }];
const visitWith = (init = '') => shop.visit(program.token, program.url, `{ ${FLAGS}, ${init} }`);

/** Resolves with the values when the flags are there. */
const flagsOf = ({ run }: Visit) =>
  run<Record<string, unknown>>('new Promise((resolve) => posthog.onFeatureFlags((_keys, values) => resolve(values)))');

const flagIn = ({ run }: Visit, key: string) => run<unknown>(`posthog.getFeatureFlag('${key}', { send_event: false })`);

test('values, variants and payloads of flags, and every first call is counted', async () => {
  const everybody = { groups: [{ rollout_percentage: 100 }] };
  const { id } = await api('POST', '/feature_flags/', {
    key: 'js-variant',
    filters: {
      ...everybody,
      multivariate: { variants: [{ key: 'blue', rollout_percentage: 100 }] },
      payloads: { blue: { hex: '#00f' } },
    },
  });
  await api('POST', '/feature_flags/', { key: 'js-on', filters: everybody });
  await api('POST', '/feature_flags/', { key: 'js-off', filters: { groups: [{ rollout_percentage: 0 }] } });

  const visit = await visitWith();
  const values = await flagsOf(visit);
  assert.deepEqual(
    [values['js-on'], values['js-variant'], await visit.run("posthog.isFeatureEnabled('js-off')")],
    [true, 'blue', false],
  );
  assert.equal(await visit.run("posthog.getFeatureFlag('js-variant')"), 'blue');
  assert.deepEqual(await visit.run("posthog.getFeatureFlagPayload('js-variant')"), { hex: '#00f' });
  assert.equal(await visit.run("posthog.getFeatureFlag('js-none') ?? null"), null);
  await eventually('the call is counted', async () => {
    const { responses } = await api('GET', `/feature_flags/${id}/usage/`);
    return responses.length === 1 && responses[0].response === 'blue' && responses[0].calls === 1;
  });
  await leave(visit);
});

test('identify asks for the flags again, and they are those of the person who is now known', async () => {
  await api('POST', '/feature_flags/', { key: 'js-pro', filters: { groups: is('plan', 'pro') } });
  const id = randomUUID();
  // What was accepted a moment ago counts, whether it is stored yet or not.
  await capture({ event: '$set', distinct_id: id, properties: { $set: { plan: 'pro' } } });
  const visit = await visitWith();
  assert.equal((await flagsOf(visit))['js-pro'] ?? false, false);
  await visit.run(`posthog.identify('${id}')`);
  await eventually('the flag is on', async () => (await flagIn(visit, 'js-pro')) === true, 5_000);

  await visit.run(`posthog.setPersonProperties({ plan: 'free' })`);
  await eventually('the flag is off', async () => (await flagIn(visit, 'js-pro')) === false, 5_000);
  await leave(visit);
});

test('a flag that goes by groups is that of the group which the page names', async () => {
  await capture({
    event: '$groupidentify',
    distinct_id: 'somebody',
    properties: { $group_type: 'shop', $group_key: 'gold-shop', $group_set: { tier: 'gold' } },
  });
  const { index } = await program.group('shop', 'gold-shop');
  const properties = [{ key: 'tier', value: 'gold', type: 'group', group_type_index: index }];
  await api('POST', '/feature_flags/', {
    key: 'js-gold',
    filters: { groups: [{ properties, rollout_percentage: 100 }], aggregation_group_type_index: index },
  });
  const visit = await visitWith();
  assert.equal((await flagsOf(visit))['js-gold'] ?? false, false);
  await visit.run(`posthog.group('shop', 'gold-shop')`);
  await eventually('the flag is on', async () => (await flagIn(visit, 'js-gold')) === true, 5_000);
  await leave(visit);
});

test('somebody chooses a feature early, has it at once, and has it on their next visit', async () => {
  await api('POST', '/early_access_feature/', { name: 'JS Beta', stage: 'beta', description: 'New' });
  const visit = await visitWith("person_profiles: 'always'");
  const id = randomUUID();
  await visit.run(`posthog.identify('${id}')`);
  assert.equal((await flagsOf(visit))['js-beta'] ?? false, false);
  const features = await visit.run<{ name: string; flagKey: string }[]>(
    'new Promise((resolve) => posthog.getEarlyAccessFeatures(resolve, true))',
  );
  assert.deepEqual(
    features.map(({ name, flagKey }) => [name, flagKey]),
    [['JS Beta', 'js-beta']],
  );
  await visit.run("posthog.updateEarlyAccessFeatureEnrollment('js-beta', true)");
  await eventually('the flag is on', async () => (await flagIn(visit, 'js-beta')) === true, 5_000);
  await eventually('the choice is kept', async () => {
    return (await program.personOf(id))?.properties['$feature_enrollment/js-beta'] === true;
  });
  await leave(visit);

  const again = await visitWith();
  await again.run(`posthog.identify('${id}')`);
  await eventually('the flag is on again', async () => (await flagIn(again, 'js-beta')) === true, 5_000);
  await leave(again);
});

test('flags that a page brings along are there before any are asked for', async () => {
  const id = randomUUID();
  const visit = await visitWith(
    `bootstrap: { distinctID: '${id}', featureFlags: { 'js-brought': 'along' }, featureFlagPayloads: { 'js-brought': { n: 1 } } }`,
  );
  assert.equal(await distinctId(visit), id);
  assert.equal(await flagIn(visit, 'js-brought'), 'along');
  assert.deepEqual(await visit.run("posthog.getFeatureFlagPayload('js-brought')"), { n: 1 });
  await leave(visit);
});

test('a survey is shown to whom it is meant for, and what becomes of it is counted', async () => {
  const survey = await api('POST', '/surveys/', {
    name: 'JS survey',
    type: 'popover',
    questions: [{ type: 'open', question: 'How was it?' }],
    start_date: new Date(Date.now() - 60_000).toISOString(),
  });
  const visit = await visitWith("person_profiles: 'always'");
  const told = await visit.run<{ id: string }[]>('new Promise((resolve) => posthog.getSurveys(resolve, true))');
  assert.deepEqual(
    told.map(({ id }) => id),
    [survey.id],
  );
  const counts = async () => (await api('GET', `/surveys/${survey.id}/stats/`)).stats;
  await eventually('it is shown', async () => (await counts())['survey shown'].total_count === 1, 20_000);
  // As the popover does when somebody answers.
  await visit.run(`posthog.capture('survey sent', {
    $survey_id: '${survey.id}',
    $survey_response: 'Fine',
    $set: { '$survey_responded/${survey.id}': true },
  }), undefined`);
  await eventually('the answer is counted', async () => (await counts())['survey sent'].total_count === 1);
  assert.deepEqual(await api('GET', '/surveys/responses_count/'), { [survey.id]: 1 });
  const id = await distinctId(visit);
  await leave(visit);

  const { internal_targeting_flag } = await api('GET', `/surveys/${survey.id}/`);
  const answer = await fetch(`${program.url}/flags/?v=2`, {
    method: 'POST',
    body: JSON.stringify({ token: program.token, distinct_id: id }),
  });
  const { flags } = (await answer.json()) as { flags: Record<string, { enabled: boolean }> };
  assert.equal(flags[internal_targeting_flag.key]?.enabled, false, 'who has answered is not asked again');
});

test('a page needs nothing from anywhere else: the SDK and its parts come from the program', async () => {
  for (const path of ['/static/array.js', '/static/surveys.js', `/array/${program.token}/array.js`]) {
    const response = await fetch(program.url + path, { headers: { origin: 'https://shop.example' } });
    assert.deepEqual([path, response.status], [path, 200]);
    assert.match(response.headers.get('content-type') ?? '', /javascript/);
    assert.ok((await response.text()).length > 10_000);
  }
});
