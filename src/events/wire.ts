// The public shape of events. Properties go out as the text they came in: parsed and written again, a long number would
// be rounded, a key given twice would be one, and keys that look like numbers would change places.
import { z } from 'zod';
import { Reply } from '../http/route.ts';
import type { PersonWithIds } from '../people/read.ts';
import type { Micros } from '../store/tables/rows.ts';
import { parseElementsChain } from './elements.ts';
import type { EventRead } from './sql.ts';

const ClickedElement = z.strictObject({
  event: z.null(),
  text: z.string().nullable(),
  tag_name: z.string().nullable(),
  attr_class: z.array(z.string()).nullable(),
  href: z.string().nullable(),
  attr_id: z.string().nullable(),
  nth_child: z.int().nullable(),
  nth_of_type: z.int().nullable(),
  attributes: z.record(z.string(), z.string()),
  order: z.int(),
});

export const Event = z.strictObject({
  id: z.uuid(),
  distinct_id: z.string(),
  properties: z.record(z.string(), z.unknown()),
  event: z.string(),
  timestamp: z.iso.datetime({ offset: true }),
  /** Whom the event belongs to now; null when that is nobody known. */
  person: z
    .strictObject({
      is_identified: z.boolean(),
      distinct_ids: z.array(z.string()),
      properties: z.record(z.string(), z.unknown()),
    })
    .nullable(),
  elements: z.array(ClickedElement),
  elements_chain: z.string(),
});

export const EventList = z.strictObject({ next: z.string().nullable(), results: z.array(Event) });

/** JSON text of an event. */
export function toEventText(event: EventRead, person: PersonWithIds | undefined): string {
  const before = JSON.stringify({ id: event.uuid, distinct_id: event.distinct_id });
  const after = JSON.stringify({
    event: event.event,
    timestamp: toTimestamp(event.micros),
    person: person ? toEventPerson(person) : null,
    elements: parseElementsChain(event.elements_chain),
    elements_chain: event.elements_chain,
  });
  return `${before.slice(0, -1)},"properties":${event.sent},${after.slice(1)}`;
}

export function toEventListText(next: string | null, events: readonly string[]): string {
  return `{"next":${JSON.stringify(next)},"results":[${events.join(',')}]}`;
}

export const jsonReply = (text: string) =>
  new Reply(200, Buffer.from(text), { 'content-type': 'application/json; charset=utf-8' });

const SHOWN_PROPERTIES = ['email', 'name', 'username'];

/** As much of a person as a list of events needs to show who it was. */
function toEventPerson({ is_identified, distinct_ids, properties }: PersonWithIds) {
  const shown = SHOWN_PROPERTIES.filter((name) => Object.hasOwn(properties, name));
  return {
    is_identified,
    distinct_ids: distinct_ids.slice(0, 1),
    properties: Object.fromEntries(shown.map((name) => [name, properties[name]])),
  };
}

/** `2025-02-03T10:11:12.345678+00:00`: events say the zone by numbers, and leave out a fraction of zero. */
export function toTimestamp(micros: Micros): string {
  const seconds = Math.floor(micros / 1_000_000);
  const fraction = micros - seconds * 1_000_000;
  const text = new Date(seconds * 1_000).toISOString().slice(0, -'.000Z'.length);
  return `${text}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}+00:00`;
}
