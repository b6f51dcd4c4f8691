// What became of accepted events, asked of the event store by their places in the log.
import { ask } from '../../filters/ask.ts';
import type { EventStore } from '../../store/open.ts';

export interface Place {
  uuid: string;
  partition: number;
  position: number;
  /** When it was accepted, in milliseconds since 1970. */
  acceptedAt: number;
}

/** The reason is null when no warning tells it. */
export type Fates = ReadonlyMap<Place, { stored: true } | { stored: false; reason: string | null }>;

/** Batches are stamped by the clock of PostgreSQL, events by that of the program; they differ by less. */
const CLOCKS_DIFFER_MS = 3_600_000;

/** Only for events that are processed: what is neither stored nor explained by a warning was left out in silence. */
export async function findFates(store: EventStore, team_id: number, places: readonly Place[]): Promise<Fates> {
  const since = Math.min(...places.map(({ acceptedAt }) => acceptedAt)) - CLOCKS_DIFFER_MS;
  const stored = await findStored(store, team_id, since, places);
  const missing = places.filter((place) => !stored.has(keyOf(place)));
  const reasons = missing.length > 0 ? await findReasons(store, team_id, since, missing) : new Map<string, string>();
  return new Map(
    places.map((place) => [
      place,
      stored.has(keyOf(place)) ? { stored: true } : { stored: false, reason: reasons.get(place.uuid) ?? null },
    ]),
  );
}

const keyOf = ({ partition, position }: Pick<Place, 'partition' | 'position'>): string => `${partition} ${position}`;

async function findStored(
  store: EventStore,
  team_id: number,
  since: number,
  places: readonly Place[],
): Promise<Set<string>> {
  const rows = await ask<Pick<Place, 'partition' | 'position'>>(store, {
    text: `
      SELECT log_partition AS partition, log_position AS position
        FROM events
       WHERE team_id = {team_id:Int64}
         AND inserted_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
         AND has(arrayZip({partitions:Array(UInt32)}, {positions:Array(UInt64)}), (log_partition, log_position))`,
    params: {
      team_id,
      since,
      partitions: places.map(({ partition }) => partition),
      positions: places.map(({ position }) => position),
    },
  });
  return new Set(rows.map(keyOf));
}

async function findReasons(
  store: EventStore,
  team_id: number,
  since: number,
  places: readonly Place[],
): Promise<Map<string, string>> {
  const rows = await ask<{ type: string; uuid: string }>(store, {
    text: `
      SELECT toString(type) AS type, JSONExtractString(details, 'eventUuid') AS uuid
        FROM ingestion_warnings
       WHERE team_id = {team_id:Int64}
         AND timestamp >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
         AND has({uuids:Array(String)}, uuid)`,
    params: { team_id, since, uuids: places.map(({ uuid }) => uuid) },
  });
  return new Map(rows.map(({ uuid, type }) => [uuid, type]));
}
