// What every destination is tried with.
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { type Destination, DestinationError, type Shipment } from '../../src/exports/destinations/destination.ts';
import type { EventRow } from '../../src/store/tables/rows.ts';
import { hostileProperties, hostileTexts } from './hostile.ts';
import { eventInHour, type ShipmentGiven } from './source.ts';

/** Values that something on the way might stumble over, in every column that a client fills. */
export const hostileEvents = (): EventRow[] =>
  Object.values(hostileProperties).map((properties, n) => {
    const text = hostileTexts[n % hostileTexts.length]!;
    return eventInHour(n, { event: text, distinct_id: text, elements_chain: text, properties });
  });

const person = (id: string, version: number, name: string) => `
  SELECT toInt64(1) AS team_id, '${id}' AS distinct_id, 'p' AS person_id, '{"name":"${name}"}' AS properties,
         toInt64(1) AS person_distinct_id_version, toInt64(${version}) AS person_version, now64(6, 'UTC') AS created_at,
         now64(6, 'UTC') AS _inserted_at, false AS is_deleted`;

/** Ships persons, then newer and older versions of them; `MERGED_PERSONS` must be left, ids with names. */
export async function shipPersonsTwice(ship: (given: Partial<ShipmentGiven>) => Promise<unknown>): Promise<void> {
  const shipPersons = (...persons: string[]) => ship({ model: 'persons', rows: persons.join(' UNION ALL ') });
  await shipPersons(person('a', 1, 'first'), person('b', 5, 'stays'));
  await shipPersons(person('a', 2, 'second'), person('a', 3, 'third'), person('b', 4, 'older'), person('c', 1, 'new'));
}

export const MERGED_PERSONS = ['a third', 'b stays', 'c new'];

/** What a person reads about a failure, and whether it is tried again. */
export interface Told {
  readonly kind: string;
  readonly final: boolean;
  readonly text: RegExp;
}

export const assertTold = (shipping: Promise<unknown>, { kind, final, text }: Told): Promise<void> =>
  assert.rejects(shipping, (error) => {
    assert.ok(error instanceof DestinationError, String(error));
    assert.deepEqual({ kind: error.kind, final: error.final }, { kind, final });
    assert.match(error.message, text);
    return true;
  });

/** Reads a place back in which one of the expected rows is missing and another is there twice. */
export async function assertReadBack(
  destination: Destination,
  shipment: Shipment,
  { ids, missing, twice }: { ids: readonly string[]; missing: string; twice: string },
): Promise<void> {
  const expected = async () => Readable.from(ids);
  const found = await Array.fromAsync((await destination.found?.(shipment, expected)) ?? []);
  assert.deepEqual(found.sort(), [...ids.filter((id) => id !== missing), twice].sort());
}
