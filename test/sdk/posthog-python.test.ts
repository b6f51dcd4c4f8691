// The Python SDK, where it is installed: `python3 -m pip install posthog`. TENREC_TEST_PYTHON names another python3.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWholeProgram } from './stored.ts';

const PYTHON = process.env.TENREC_TEST_PYTHON ?? 'python3';
const SCRIPT = join(import.meta.dirname, 'posthog_python.py');

const installed = spawnSync(PYTHON, ['-c', 'import posthog']).status === 0;
const skip = installed ? false : `${PYTHON} has no module posthog: python3 -m pip install posthog`;

test('every call of the Python SDK is stored, and it sees no error', { skip }, async () => {
  const program = await openWholeProgram();
  const ids = {
    capture: randomUUID(),
    set: randomUUID(),
    alias: randomUUID(),
    alias_other: randomUUID(),
    exception: randomUUID(),
    historical: randomUUID(),
    sync: randomUUID(),
  };
  const [uuid, company, mark] = [randomUUID(), randomUUID(), randomUUID()];
  const happened = Date.now() - 86_400_000;
  const input = JSON.stringify({ host: program.url, token: program.token, ids, uuid, company, mark, happened });
  const { stdout, stderr } = spawnSync(PYTHON, [SCRIPT], { input, encoding: 'utf8', timeout: 60_000 });
  assert.deepEqual(JSON.parse(stdout || '{}').errors, [], stderr);

  const [paid] = await program.eventsOf(ids.capture);
  assert.partialDeepStrictEqual(paid, {
    id: uuid,
    event: 'order paid',
    properties: { amount: 12.5, text: 'Zoë 🦔', list: [1, null, true], $lib: 'posthog-python' },
  });
  assert.ok(Math.abs(Date.parse(paid!.timestamp) - happened) < 5_000, paid?.timestamp);

  const [nobody] = (await program.eventsNamed('nobody')).filter(({ properties }) => properties.mark === mark);
  assert.equal(await program.personOf(nobody!.distinct_id), undefined);

  assert.deepEqual(
    (await program.eventsOf(ids.set)).map(({ event }) => event),
    ['$set', '$set_once'],
  );
  assert.partialDeepStrictEqual((await program.personOf(ids.set))?.properties, { plan: 'pro', first: 1 });

  const aliased = await program.personOf(ids.alias_other);
  assert.deepEqual(aliased?.distinct_ids.toSorted(), [ids.alias, ids.alias_other].sort());

  const { index, group } = await program.group('company', company);
  assert.deepEqual(group?.group_properties, { name: 'Acme' });
  assert.equal(paid?.properties[`$group_${index}`], company);

  const [exception] = await program.eventsOf(ids.exception);
  assert.equal(exception?.properties.$exception_list[0].type, 'KeyError');

  const [old] = await program.eventsOf(ids.historical);
  assert.ok(Math.abs(Date.parse(old!.timestamp) - Date.parse('2016-02-03T04:05:06.789Z')) < 5_000, old?.timestamp);

  const [atOnce] = await program.eventsOf(ids.sync);
  assert.equal(atOnce?.event, 'at once');
});
