// Flags of the whole program under load, while one of them changes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import autocannon from 'autocannon';
import { isLong } from '../random.ts';
import { startWholeProgram, type WholeProgram } from '../sdk/stored.ts';

const LOAD = isLong ? { overallRate: 2_000, duration: 30 } : { overallRate: 200, duration: 3 };
const CONNECTIONS = 16;
/** How long an old value may still be served after a change was answered. */
const OLD_MS_MAX = 1_000;

const filtersOf = (at: number) => ({
  groups: [{ properties: [], rollout_percentage: 100 }],
  multivariate: { variants: [{ key: `v${at}`, rollout_percentage: 100 }] },
});

async function api(program: WholeProgram, method: string, path: string, body: object): Promise<{ id: number }> {
  const response = await fetch(`${program.url}/api/projects/${program.project_id}${path}`, {
    method,
    headers: { authorization: `Bearer ${program.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, `${method} ${path} answered ${response.status}`);
  return (await response.json()) as { id: number };
}

test('while a flag changes again and again, every answer is right, and none is older than a second', async () => {
  await using program = await startWholeProgram();
  const { id } = await api(program, 'POST', '/feature_flags/', { key: 'f', filters: filtersOf(0) });
  const changes = [{ at: 0, answeredAt: 0 }];
  let begun = 0;
  let isOver = false;
  const wrong: string[] = [];

  const look = (status: number, body: string) => {
    const value = status === 200 ? Number(String(JSON.parse(body).featureFlags.f).slice(1)) : Number.NaN;
    const oldest = changes.findLast(({ answeredAt }) => answeredAt <= performance.now() - OLD_MS_MAX)!.at;
    if (!(value >= oldest && value <= begun)) wrong.push(`${status} ${value}, expected from ${oldest} to ${begun}`);
  };
  const request = (at: number) => ({
    method: 'POST',
    path: '/decide/?v=3',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: program.token, distinct_id: `person-${at}` }),
    onResponse: look,
  });
  const load = async () => {
    const requests = Array.from({ length: 100 }, (_, at) => request(at));
    const result = await autocannon({ url: program.url, connections: CONNECTIONS, requests, ...LOAD });
    isOver = true;
    return result;
  };
  const change = async () => {
    while (!isOver) {
      begun += 1;
      await api(program, 'PATCH', `/feature_flags/${id}/`, { filters: filtersOf(begun) });
      changes.push({ at: begun, answeredAt: performance.now() });
    }
  };
  const [result] = await Promise.all([load(), change()]);

  assert.deepEqual(wrong, []);
  assert.deepEqual([result.non2xx, result.errors], [0, 0]);
  assert.ok(changes.length > 3, `only ${changes.length} changes`);
  const wanted = LOAD.overallRate * LOAD.duration;
  if (isLong) assert.ok(result.requests.total > 0.9 * wanted, `${result.requests.total} of ${wanted} requests`);
});
