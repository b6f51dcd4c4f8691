// A project moves to another installation: a whole second Tenrec takes what the first one ships over HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { httpDestination } from '../../src/exports/destinations/http/destination.ts';
import { openGuard } from '../../src/exports/network/guard.ts';
import { eventually } from '../eventually.ts';
import { openTempFolder } from '../temp-folder.ts';
import { startTenrec } from '../tenrec.ts';
import { hostileProperties, hostileTexts } from './hostile.ts';
import { eventInHour, openSource } from './source.ts';

const TOKEN = 'phc_moved_project_token';
const KEY = 'phx_moved_personal_api_key';

interface Stored {
  id: string;
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
  timestamp: string;
}

const rows = Object.values(hostileProperties).map((properties, n) => {
  // White space around an id and an event's name is the receiver's to judge; what is in the middle is not.
  const text = hostileTexts[n % hostileTexts.length]!.trim();
  return eventInHour(n, { event: text, distinct_id: text, properties });
});
rows.push(eventInHour(100, { event: '$autocapture', elements_chain: 'button:text="buy"nth-child="1"' }));

test('another installation holds every event once, as it was captured, however often it is shipped', async () => {
  await using folder = await openTempFolder();
  await using second = await startTenrec({
    TENREC_DATA: folder.path,
    TENREC_BOOTSTRAP_PROJECT_TOKEN: TOKEN,
    TENREC_BOOTSTRAP_PERSONAL_API_KEY: KEY,
  });
  await using source = await openSource();
  await source.insert(rows);
  const destination = httpDestination(openGuard({ privateNetworksAllowed: true }));
  const config = { url: `${second.address}/batch/`, token: TOKEN };
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
  const ask = async (path: string): Promise<any> => {
    const response = await fetch(second.address + path, { headers: { authorization: `Bearer ${KEY}` } });
    return response.json();
  };
  const list = async () => (await ask('/api/projects/1/events/?limit=100&after=2020-01-01')).results;

  await destination.ship(await source.shipment({ teamId: 1, config }));
  await eventually('every event is stored', async () => (await list()).length === rows.length);
  await destination.ship(await source.shipment({ teamId: 1, config }));
  await eventually('nothing waits', async () => (await ask('/api/projects/1/ingestion/')).totals.waiting === 0);

  const stored: Stored[] = await list();
  assert.equal(stored.length, rows.length);
  for (const row of rows) {
    const { event, distinct_id, properties, timestamp } = stored.find(({ id }) => id === row.uuid)!;
    const { $geoip_disable: _, $ip: _ip, $elements_chain: _chain, ...kept } = properties;
    const sent = { event: row.event, distinct_id: row.distinct_id, kept: JSON.parse(String(row.properties)) };
    assert.deepEqual({ event, distinct_id, kept }, sent);
    assert.equal(Date.parse(timestamp), Math.floor(row.timestamp / 1_000));
  }
});
