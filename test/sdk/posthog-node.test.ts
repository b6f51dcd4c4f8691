// The current posthog-node, unmodified: every public call that sends something, and what is stored of it.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import type { PostHog } from 'posthog-node';
import { names, useClient } from './node-client.ts';
import { openWholeProgram, type WholeProgram } from './stored.ts';

const DAY_MS = 86_400_000;

let program: WholeProgram;
before(async () => {
  program = await openWholeProgram();
});

test('capture: name, properties, groups, time and uuid are stored as they were given', async () => {
  const [distinctId, uuid, company] = [randomUUID(), randomUUID(), randomUUID()];
  const timestamp = new Date(Date.now() - DAY_MS);
  const properties = {
    amount: 12.5,
    list: [1, 'two', null],
    nested: { deep: { er: true } },
    text: 'Zoë 🦔',
    none: null,
  };
  await useClient(program, (client) =>
    client.capture({ distinctId, event: 'order paid', properties, groups: { company }, timestamp, uuid }),
  );
  const [event] = await program.eventsOf(distinctId);
  assert.partialDeepStrictEqual(event, {
    id: uuid,
    event: 'order paid',
    distinct_id: distinctId,
    properties: { ...properties, $groups: { company }, $lib: 'posthog-node', $is_server: true, $geoip_disable: true },
  });
  // Both clocks are one machine's, so the correction is the time that the request took.
  assert.ok(Math.abs(Date.parse(event!.timestamp) - timestamp.getTime()) < 5_000, event!.timestamp);
  const person = await program.personOf(distinctId);
  assert.deepEqual(person?.distinct_ids, [distinctId]);
});

test('capture without a person: a fresh id each, and no person is made', async () => {
  const mark = randomUUID();
  await useClient(program, (client) => client.capture({ event: 'nobody', properties: { mark } }));
  const [event] = (await program.eventsNamed('nobody')).filter(({ properties }) => properties.mark === mark);
  assert.match(event?.distinct_id ?? '', /^[0-9a-f-]{36}$/);
  assert.equal(event?.properties.$process_person_profile, false);
  assert.equal(await program.personOf(event!.distinct_id), undefined);
});

test('capture with $process_person_profile false: stored, and no person is made', async () => {
  const distinctId = randomUUID();
  const properties = { $process_person_profile: false, $set: { never: 'seen' } };
  await useClient(program, (client) => client.capture({ distinctId, event: 'passing by', properties }));
  const [event] = await program.eventsOf(distinctId);
  assert.equal(event?.properties.$process_person_profile, false);
  assert.equal(event?.properties.$set, undefined);
  assert.equal(await program.personOf(distinctId), undefined);
});

test('capture with $set and $set_once: the person has them', async () => {
  const distinctId = randomUUID();
  await useClient(program, (client) => {
    client.capture({
      distinctId,
      event: 'first',
      properties: { $set: { plan: 'free' }, $set_once: { seen: 'first' } },
    });
    client.capture({ distinctId, event: 'then', properties: { $set: { plan: 'pro' }, $set_once: { seen: 'then' } } });
  });
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['first', 'then']);
  assert.partialDeepStrictEqual((await program.personOf(distinctId))?.properties, { plan: 'pro', seen: 'first' });
});

for (const how of ['identify', 'identifyImmediate'] as const) {
  test(`${how}: the person has what was set, and takes in the anonymous one`, async () => {
    const [distinctId, anonymous] = [randomUUID(), randomUUID()];
    await useClient(program, (client) => client.captureImmediate({ distinctId: anonymous, event: 'looked around' }));
    await program.settled();
    await useClient(program, (client) =>
      client[how]({
        distinctId,
        properties: { $set: { email: 'ada@example.com' }, $set_once: { source: 'ad' }, $anon_distinct_id: anonymous },
      }),
    );
    const [identified] = await program.eventsOf(distinctId);
    assert.partialDeepStrictEqual(identified, {
      event: '$identify',
      properties: { $set: { email: 'ada@example.com' }, $set_once: { source: 'ad' }, $anon_distinct_id: anonymous },
    });
    const person = await program.personOf(anonymous);
    assert.deepEqual(person?.distinct_ids.toSorted(), [anonymous, distinctId].sort());
    assert.partialDeepStrictEqual(person?.properties, { email: 'ada@example.com', source: 'ad' });
    assert.equal(identified?.person?.is_identified, true);
  });
}

test('setPersonProperties and unsetPersonProperties: set, set once, and taken away', async () => {
  const distinctId = randomUUID();
  await useClient(program, (client) => {
    client.setPersonProperties({ distinctId, properties: { plan: 'pro', trial: true }, propertiesOnce: { first: 1 } });
    client.setPersonProperties({ distinctId, propertiesOnce: { first: 2 } });
    client.unsetPersonProperties({ distinctId, properties: ['trial'] });
  });
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['$set', '$set', '$set']);
  const { properties } = (await program.personOf(distinctId))!;
  assert.partialDeepStrictEqual(properties, { plan: 'pro', first: 1 });
  assert.equal('trial' in properties, false);
});

for (const how of ['alias', 'aliasImmediate'] as const) {
  test(`${how}: both ids are one person from then on`, async () => {
    const [distinctId, alias] = [randomUUID(), randomUUID()];
    await useClient(program, async (client) => {
      await client[how]({ distinctId, alias });
      await client.flush();
      client.capture({ distinctId: alias, event: 'by the other name' });
    });
    const [created] = await program.eventsOf(distinctId);
    assert.partialDeepStrictEqual(created, { event: '$create_alias', properties: { distinct_id: distinctId, alias } });
    assert.deepEqual(names(await program.eventsOf(alias)), ['by the other name']);
    const [one, other] = [await program.personOf(distinctId), await program.personOf(alias)];
    assert.deepEqual(one?.distinct_ids.toSorted(), [distinctId, alias].sort());
    assert.equal(one?.uuid, other?.uuid);
  });
}

for (const how of ['groupIdentify', 'groupIdentifyImmediate'] as const) {
  test(`${how}: the group has its properties, and events name it`, async () => {
    const [groupKey, distinctId] = [randomUUID(), randomUUID()];
    await useClient(program, async (client) => {
      await client[how]({ groupType: 'company', groupKey, properties: { name: 'Acme', seats: 5 } });
      // The next one comes from somebody else, and only what comes from one person keeps its order.
      await client.flush();
      await program.settled();
      await client[how]({ groupType: 'company', groupKey, properties: { seats: 6 }, distinctId });
      client.capture({ distinctId, event: 'seen at work', groups: { company: groupKey } });
    });
    const { index, group } = await program.group('company', groupKey);
    assert.deepEqual(group?.group_properties, { name: 'Acme', seats: 6 });
    const [told] = await program.eventsOf(`$company_${groupKey}`);
    assert.partialDeepStrictEqual(told, {
      event: '$groupidentify',
      properties: { $group_type: 'company', $group_key: groupKey, $group_set: { name: 'Acme', seats: 5 } },
    });
    const seen = (await program.eventsOf(distinctId)).find(({ event }) => event === 'seen at work');
    assert.equal(seen?.properties[`$group_${index}`], groupKey);
  });
}

test('captureImmediate: acknowledged when the promise is kept', async () => {
  const distinctId = randomUUID();
  await useClient(program, async (client) => {
    await client.captureImmediate({ distinctId, event: 'at once', properties: { a: 1 } });
    assert.deepEqual(names(await program.eventsOf(distinctId)), ['at once']);
  });
});

for (const how of ['captureException', 'captureExceptionImmediate'] as const) {
  test(`${how}: the error with its stack, and no change to the person`, async () => {
    const distinctId = randomUUID();
    const more = { order: 7, $set: { never: 'seen' } };
    await useClient(program, (client) => client[how](new TypeError('no such hedgehog'), distinctId, more));
    const [event] = await program.eventsOf(distinctId);
    assert.equal(event?.event, '$exception');
    const [exception] = event?.properties.$exception_list ?? [];
    assert.partialDeepStrictEqual(exception, {
      type: 'TypeError',
      value: 'no such hedgehog',
      mechanism: { handled: true, synthetic: false },
      stacktrace: { type: 'raw' },
    });
    assert.ok(exception.stacktrace.frames.length > 0);
    assert.equal(event?.properties.order, 7);
    const person = await program.personOf(distinctId);
    assert.equal(person && 'never' in person.properties, person && false);
  });
}

test('withContext: events inside have its person, session and properties', async () => {
  const [distinctId, sessionId] = [randomUUID(), randomUUID()];
  await useClient(program, (client) =>
    client.withContext({ distinctId, sessionId, properties: { route: '/buy' } }, () =>
      client.capture({ event: 'inside', properties: { own: 1 } }),
    ),
  );
  const [event] = await program.eventsOf(distinctId);
  assert.partialDeepStrictEqual(event?.properties, { $session_id: sessionId, route: '/buy', own: 1 });
});

test('before_send: what it returns is what is stored', async () => {
  const distinctId = randomUUID();
  const before_send = (event: Parameters<PostHog['capture']>[0]) =>
    event.event === 'secret' ? null : { ...event, properties: { ...event.properties, card: '****' } };
  await useClient(
    program,
    (client) => {
      client.capture({ distinctId, event: 'secret' });
      client.capture({ distinctId, event: 'paid', properties: { card: '4111' } });
    },
    { before_send },
  );
  const stored = await program.eventsOf(distinctId);
  assert.deepEqual(names(stored), ['paid']);
  assert.equal(stored[0]?.properties.card, '****');
});

test('disable and enable: only what was captured while enabled is stored', async () => {
  const distinctId = randomUUID();
  await useClient(program, async (client) => {
    await client.disable();
    await client.captureImmediate({ distinctId, event: 'unseen' });
    await client.enable();
    client.capture({ distinctId, event: 'seen' });
  });
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['seen']);
});

test('disableGeoip: a place is looked up only for those who want it', async () => {
  const [here, hidden] = [randomUUID(), randomUUID()];
  const properties = { $ip: '81.2.69.142' };
  await useClient(program, (client) => {
    client.capture({ distinctId: here, event: 'here', properties, disableGeoip: false });
    client.capture({ distinctId: hidden, event: 'hidden', properties });
  });
  const [[seen], [unseen]] = [await program.eventsOf(here), await program.eventsOf(hidden)];
  assert.equal(seen?.properties.$geoip_country_code, 'GB');
  assert.equal((await program.personOf(here))?.properties.$geoip_country_code, 'GB');
  assert.equal(unseen?.properties.$geoip_country_code, undefined);
});

test('feature flags: what was asked and what was answered stand on the events', async () => {
  const [distinctId, flag] = [randomUUID(), `flag-${randomUUID()}`];
  const made = await fetch(`${program.url}/api/projects/${program.project_id}/feature_flags/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ key: flag, active: true, filters: { groups: [{ rollout_percentage: 100 }] } }),
  });
  assert.equal(made.status, 201);
  await useClient(program, async (client) => {
    assert.equal(await client.getFeatureFlag(flag, distinctId), true);
    client.capture({ distinctId, event: 'with flags', sendFeatureFlags: true });
    client.capture({ distinctId, event: 'without', sendFeatureFlags: false });
  });
  const stored = new Map((await program.eventsOf(distinctId)).map((event) => [event.event, event.properties]));
  assert.partialDeepStrictEqual(stored.get('$feature_flag_called'), {
    $feature_flag: flag,
    $feature_flag_response: true,
  });
  assert.equal(stored.get('with flags')[`$feature/${flag}`], true);
  assert.equal(`$feature/${flag}` in stored.get('without'), false);
});

test('captureAi: what models did is stored like any other event', async () => {
  const distinctId = randomUUID();
  const properties = { $ai_model: 'some-model', $ai_input_tokens: 7 };
  await useClient(program, (client) => client.captureAi({ distinctId, event: '$ai_generation', properties }));
  const [event] = await program.eventsOf(distinctId);
  assert.partialDeepStrictEqual(event, { event: '$ai_generation', properties });
});

test('logs, metrics and spans, which are not stored: the client is not disturbed, and its events are', async () => {
  const distinctId = randomUUID();
  await useClient(program, (client) => {
    client.captureLog({ body: 'hello', level: 'info' });
    client.metrics.count('orders', 1);
    client.withSpan('checkout', () => {});
    client.capture({ distinctId, event: 'beside them' });
  });
  assert.deepEqual(names(await program.eventsOf(distinctId)), ['beside them']);
});
