// What tests do with a visit to the shop: wait for what is stored of it, end it, and look at what it complained of.
import assert from 'node:assert/strict';
import { eventually } from '../eventually.ts';
import type { Visit } from './shop.ts';
import type { StoredEvent, WholeProgram } from './stored.ts';

/** Neither flags nor remote configuration, and little waiting. */
export const ALONE = 'advanced_disable_flags: true, request_queue_config: { flush_interval_ms: 250 }';
/** The same, without the events that come by themselves. */
export const QUIET = `${ALONE}, capture_pageview: false, capture_pageleave: false, autocapture: false`;

export const distinctId = ({ run }: Visit) => run<string>('posthog.get_distinct_id()');

/** Waits for so many events of these ids, and lets no one arrive twice or unasked. */
export async function stored(program: WholeProgram, ids: string[], ...wanted: string[]): Promise<StoredEvent[]> {
  let events: StoredEvent[] = [];
  const enough = async () => {
    events = await program.eventsOf(...ids);
    return events.length >= wanted.length;
  };
  await eventually(`${wanted.length} events`, enough, 20_000).catch(() => {});
  assert.deepEqual(events.map(({ event }) => event).sort(), wanted.toSorted());
  return wanted.map((name) => events.find(({ event }) => event === name)!);
}

export function assertContent({ faults, requests }: Visit): void {
  assert.deepEqual(faults, []);
  assert.deepEqual(
    requests
      .filter(({ status }) => status !== undefined && status !== 200)
      .map(({ url, status }) => `${url} ${status}`),
    [],
  );
}

/** A visitor who is done: what the page still has is sent, and what it complained of is looked at. */
export async function leave(visit: Visit): Promise<void> {
  await visit.page.goto(new URL('/elsewhere', visit.page.url()).href);
  assertContent(visit);
  await visit.page.context().close();
}

/** The first events of this name, whatever else comes along. */
export async function waitForAny(program: WholeProgram, ids: string[], name: string): Promise<StoredEvent[]> {
  let events: StoredEvent[] = [];
  await eventually(`an event ${name}`, async () => {
    events = (await program.eventsOf(...ids)).filter(({ event }) => event === name);
    return events.length > 0;
  });
  return events;
}
