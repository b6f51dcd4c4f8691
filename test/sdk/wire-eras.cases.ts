// What clients put on the wire over the years, one row an era. A row makes the request that a client of its time made
// for the events it is given.
import { gzipSync } from 'node:zlib';
import { compressLzBase64 } from '../reference/lz-compress.ts';

/** What a page wants to tell, before a client has packed it. */
export interface Told {
  event: string;
  distinct_id: string;
  properties: Record<string, unknown>;
  /** Only eras that make their own ids have one. */
  uuid: string;
  /** How long before the sending it happened. */
  offset: number;
}

export interface WireRequest {
  path: string;
  method?: 'GET';
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  /** 204 for beacons that ask for it. */
  status?: 204;
}

export interface Era {
  name: string;
  /** How many events fit one request. */
  events: 'one' | 'many';
  /** Whether the client makes ids for its events. */
  uuids: boolean;
  pack(told: readonly Told[], sending: Sending): WireRequest;
}

/** What the client knows when it sends: the project's key and the time by its own clock, which may be wrong. */
export interface Sending {
  token: string;
  clock: number;
}

type Item = (told: Told, sending: Sending) => object;

/** Browser clients keep the key and the person's id among the properties, in every era. */
const inProperties = ({ properties, distinct_id }: Told, { token }: Sending) => ({ ...properties, token, distinct_id });
const withOffset: Item = (told, sending) => ({
  uuid: told.uuid,
  event: told.event,
  properties: inProperties(told, sending),
  offset: told.offset,
});
const withoutUuid: Item = (told, sending) => ({ ...withOffset(told, sending), uuid: undefined });
const withTimestamp: Item = (told, sending) => ({
  uuid: told.uuid,
  event: told.event,
  properties: inProperties(told, sending),
  timestamp: new Date(sending.clock - told.offset).toISOString(),
});

const TEXT = { 'content-type': 'text/plain' };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const gzip = (value: unknown) => new Uint8Array(gzipSync(JSON.stringify(value)));
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const form = (data: string) => `data=${encodeURIComponent(data)}`;
const first = (told: readonly Told[]) => told[0] as Told;

/** An array of events, gzipped, as browsers sent it for years; only the query changed. */
const array = (name: string, query: (clock: number) => string, item: Item = withOffset): Era => ({
  name,
  events: 'many',
  uuids: item !== withoutUuid,
  pack: (told, sending) => ({
    path: `/e/?${query(sending.clock)}`,
    headers: TEXT,
    body: gzip(told.map((one) => item(one, sending))),
  }),
});

/** The key, the events and the time of sending together. */
const envelope = (item: Item) => (told: readonly Told[], sending: Sending) => ({
  api_key: sending.token,
  batch: told.map((one) => item(one, sending)),
  sent_at: new Date(sending.clock).toISOString(),
});

export const browserEras: Era[] = [
  {
    name: 'posthog-js 1.40, first event: one object as base64 in a form',
    events: 'one',
    uuids: false,
    pack: (told, sending) => ({
      path: `/e/?ip=1&_=${sending.clock}&ver=1.40.0`,
      headers: FORM,
      body: form(base64(withoutUuid(first(told), sending))),
    }),
  },
  array(
    'posthog-js 1.40, later: an array without uuids, gzip-js in the query',
    (clock) => `compression=gzip-js&ip=1&_=${clock}&ver=1.40.0`,
    withoutUuid,
  ),
  {
    name: 'posthog-js up to 1.62, where the server offers it: lz64 in a form',
    events: 'one',
    uuids: false,
    pack: (told, sending) => ({
      path: `/e/?compression=lz64&ip=1&_=${sending.clock}&ver=1.60.0`,
      headers: FORM,
      body: form(compressLzBase64(JSON.stringify(withoutUuid(first(told), sending)))),
    }),
  },
  {
    name: 'posthog-js 1.100, at once: one object as base64 in a form, without a word about compression',
    events: 'one',
    uuids: true,
    pack: (told, sending) => ({
      path: `/e/?ip=1&_=${sending.clock}&ver=1.100.0`,
      headers: FORM,
      body: form(base64(withOffset(first(told), sending))),
    }),
  },
  array('posthog-js 1.100 to 1.200: an array', (clock) => `ip=1&_=${clock}&ver=1.130.2&compression=gzip-js`),
  {
    name: 'posthog-js 1.130 to 1.407, at once: one object, gzipped',
    events: 'one',
    uuids: true,
    pack: (told, sending) => ({
      path: `/e/?ip=1&_=${sending.clock}&ver=1.180.1&compression=gzip-js`,
      headers: TEXT,
      body: gzip(withOffset(first(told), sending)),
    }),
  },
  {
    name: 'posthog-js 1.100 to 1.391, leaving: a beacon that expects no body',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({
      path: `/e/?ip=1&_=${sending.clock}&ver=1.200.2&compression=gzip-js&beacon=1`,
      headers: TEXT,
      body: gzip(told.map((one) => withOffset(one, sending))),
      status: 204,
    }),
  },
  array('posthog-js 1.220: fetch without credentials', (clock) => `compression=gzip-js&ip=1&_=${clock}&ver=1.220.0`),
  array('posthog-js 1.245', (clock) => `compression=gzip-js&ip=1&_=${clock}&ver=1.245.1`),
  array('posthog-js 1.260 to 1.349: ip=0', (clock) => `compression=gzip-js&ip=0&_=${clock}&ver=1.300.0`),
  array('posthog-js 1.350: ip=0', (clock) => `compression=gzip-js&ip=0&_=${clock}&ver=1.355.0`),
  array('posthog-js 1.391.6: no ip', (clock) => `compression=gzip-js&_=${clock}&ver=1.393.3`),
  array('posthog-js 1.398.2: gzip that nothing announces', (clock) => `_=${clock}`),
  array('posthog-js 1.407.1: sent_at in the query', (clock) => `sent_at=${clock}`),
  {
    name: 'posthog-js 1.407.3: an envelope with offsets, no query, gzip that nothing announces',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({ path: '/e/', headers: TEXT, body: gzip(envelope(withOffset)(told, sending)) }),
  },
  {
    name: 'posthog-js 1.428: the same, to the path that the remote configuration names',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({ path: '/i/v0/e/', headers: TEXT, body: gzip(envelope(withOffset)(told, sending)) }),
  },
  {
    name: 'posthog-js 1.434: an envelope with timestamps',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({ path: '/i/v0/e/', headers: TEXT, body: gzip(envelope(withTimestamp)(told, sending)) }),
  },
  {
    name: 'posthog-js 1.434 without compression: JSON, after a preflight',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({
      path: '/e/',
      headers: JSON_TYPE,
      body: JSON.stringify(envelope(withTimestamp)(told, sending)),
    }),
  },
  {
    name: 'posthog-js 1.434 without compression, leaving: base64 in a form',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({
      path: '/e/?compression=base64',
      headers: FORM,
      body: form(base64(envelope(withTimestamp)(told, sending))),
    }),
  },
  {
    name: 'posthog-js 1.434, again after a failure: retry_count',
    events: 'many',
    uuids: true,
    pack: (told, sending) => ({
      path: '/e/?retry_count=1',
      headers: TEXT,
      body: gzip(envelope(withTimestamp)(told, sending)),
    }),
  },
  {
    name: 'a pixel: one object as base64 in the address',
    events: 'one',
    uuids: true,
    pack: (told, sending) => ({
      method: 'GET',
      path: `/e/?ip=1&_=${sending.clock}&ver=1.100.0&data=${encodeURIComponent(base64(withOffset(first(told), sending)))}`,
    }),
  },
];

/** A recording's items, which hold far more than this in life. */
const recording: Item = (told, sending) => ({
  uuid: told.uuid,
  event: '$snapshot',
  properties: {
    ...inProperties(told, sending),
    $snapshot_bytes: 60,
    $snapshot_data: [{ type: 3, data: { source: 2 }, timestamp: sending.clock }],
    $session_id: told.uuid,
    $window_id: told.uuid,
  },
  offset: told.offset,
});

const replay = (name: string, query: (clock: number) => string, item: Item): Era => ({
  name,
  events: 'many',
  uuids: true,
  pack: (told, sending) => ({
    path: `/s/${query(sending.clock)}`,
    headers: TEXT,
    body: gzip(told.map((one) => item(one, sending))),
  }),
});

export const replayEras: Era[] = [
  replay('posthog-js 1.40 to 1.391', (clock) => `?compression=gzip-js&ip=1&_=${clock}&ver=1.200.2`, recording),
  replay('posthog-js 1.398.2', (clock) => `?_=${clock}`, recording),
  replay(
    'posthog-js 1.407.4: each item says when it was sent',
    () => '',
    (told, sending) => ({
      ...recording(told, sending),
      sent_at: new Date(sending.clock).toISOString(),
    }),
  ),
  replay(
    'posthog-js 1.434: timestamps instead of offsets',
    () => '',
    (told, sending) => ({
      ...recording(told, sending),
      offset: undefined,
      timestamp: new Date(sending.clock - told.offset).toISOString(),
      sent_at: new Date(sending.clock).toISOString(),
    }),
  ),
];
