// What programs other than browsers put on the wire: SDKs of other languages, phones, and tools that post by themselves.
import { gzipSync } from 'node:zlib';
import type { Era, Sending, Told } from './wire-eras.cases.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const GZIPPED = { ...JSON_TYPE, 'content-encoding': 'gzip' };

const gzip = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)));
const first = (told: readonly Told[]) => told[0] as Told;
const at = ({ offset }: Told, { clock }: Sending) => new Date(clock - offset);
/** Python writes microseconds and the zone by numbers. */
const isoformat = (date: Date) => date.toISOString().replace('Z', '000+00:00');

const plain = (told: Told, sending: Sending) => ({
  event: told.event,
  distinct_id: told.distinct_id,
  properties: told.properties,
  timestamp: at(told, sending).toISOString(),
});
const withUuid = (told: Told, sending: Sending) => ({ ...plain(told, sending), uuid: told.uuid });
const sentAt = ({ clock }: Sending) => new Date(clock).toISOString();

/** One envelope for all events; `more` stands beside the key. */
const many = (
  name: string,
  path: string,
  headers: Record<string, string>,
  item: (told: Told, sending: Sending) => object,
  { more = (sending: Sending): object => ({ sent_at: sentAt(sending) }), uuids = true } = {},
): Era => ({
  name,
  events: 'many',
  uuids,
  pack: (told, sending) => {
    const sent = { api_key: sending.token, batch: told.map((one) => item(one, sending)), ...more(sending) };
    return { path, headers, body: 'content-encoding' in headers ? gzip(sent) : JSON.stringify(sent) };
  },
});

/** One event a request, with the key on it. */
const single = (name: string, path: string, more: (told: Told) => object = () => ({})): Era => ({
  name,
  events: 'one',
  uuids: false,
  pack: (told, sending) => ({
    path,
    headers: JSON_TYPE,
    body: JSON.stringify({ api_key: sending.token, ...plain(first(told), sending), ...more(first(told)) }),
  }),
});

/** These tell when they send, so a wrong clock is put right. */
export const clockTellingForms: Era[] = [
  many('posthog-node 5: gzip, said in the header', '/batch/', GZIPPED, withUuid),
  many(
    'posthog-node 3 and 4: plain JSON, with the library beside the event',
    '/batch/',
    JSON_TYPE,
    (told, sending) => ({
      ...withUuid(told, sending),
      type: 'capture',
      library: 'posthog-node',
      library_version: '4.18.0',
    }),
  ),
  many('posthog-node 2: no uuid', '/batch/', JSON_TYPE, plain, { uuids: false }),
  many(
    'posthog-python up to 7.19: sentAt, microseconds and +00:00, an explicit false',
    '/batch/',
    JSON_TYPE,
    (told, sending) => ({ ...withUuid(told, sending), timestamp: isoformat(at(told, sending)), context: {} }),
    { more: ({ clock }) => ({ sentAt: isoformat(new Date(clock)), historical_migration: false }) },
  ),
  many(
    'posthog-python 7.53: sent_at',
    '/batch/',
    GZIPPED,
    (told, sending) => ({ ...withUuid(told, sending), timestamp: isoformat(at(told, sending)) }),
    { more: ({ clock }) => ({ sent_at: isoformat(new Date(clock)), historical_migration: false }) },
  ),
  many('iOS: no slash', '/batch', { ...GZIPPED, 'content-type': 'application/json; charset=utf-8' }, withUuid),
  many('Android: no slash, the key on each event too', '/batch', GZIPPED, (told, sending) => ({
    ...withUuid(told, sending),
    api_key: sending.token,
  })),
  many('a wrapped batch on /e/', '/e/', JSON_TYPE, withUuid),
];

/** These do not, so their times are taken as they are. */
export const clocklessForms: Era[] = [
  many(
    'posthog-ruby: type, and no time of sending',
    '/batch/',
    GZIPPED,
    (told, sending) => ({ ...withUuid(told, sending), type: 'capture', library: 'posthog-ruby', messageId: told.uuid }),
    { more: () => ({}) },
  ),
  many(
    'posthog-php: empty lists where objects are meant',
    '/batch/',
    JSON_TYPE,
    (told, sending) => ({
      ...withUuid(told, sending),
      properties: { ...told.properties, $groups: [] },
      groups: [],
      $groups: [],
      $set: [],
      library_consumer: 'LibCurl',
    }),
    { more: () => ({}) },
  ),
  many(
    'posthog-go: gzip, said twice',
    '/batch/?compression=gzip',
    GZIPPED,
    (told, sending) => ({
      ...withUuid(told, sending),
      type: 'capture',
      library: 'posthog-go',
      send_feature_flags: false,
    }),
    { more: () => ({}) },
  ),
  many('n8n: a batch on /capture', '/capture', JSON_TYPE, plain, { more: () => ({}), uuids: false }),
  single('n8n: one event on /batch', '/batch', () => ({ type: 'screen', context: {}, name: 'Home' })),
  single('n8n: the id only among the properties', '/batch', ({ properties, distinct_id }) => ({
    distinct_id: undefined,
    properties: { ...properties, distinct_id },
  })),
  single('Zapier and scripts: one event on /capture/', '/capture/'),
  single('the documentation: one event on /i/v0/e/', '/i/v0/e/'),
  single('the oldest: one event on /track/', '/track/'),
  {
    name: 'a script that lists events, each with its key',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({
      path: '/capture/',
      headers: JSON_TYPE,
      body: JSON.stringify(told.map((one) => ({ ...withUuid(one, sending), $token: sending.token }))),
    }),
  },
];
