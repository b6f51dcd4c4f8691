import type { QueryAnswer } from '../../query/results.ts';

export interface ActorRow {
  id: string;
  name: string;
  count: number | undefined;
}

const NAMES = ['email', 'name', 'username', '$email'];

/** Rows of an ActorsQuery: the actor and how often, in the order of its columns. */
export function readActors({ results, columns }: QueryAnswer): ActorRow[] {
  const at = (name: string, otherwise: number) => {
    const found = columns?.indexOf(name) ?? -1;
    return found === -1 ? otherwise : found;
  };
  const actorAt = at('actor', 0);
  const countAt = at('event_count', 1);
  return (results as unknown[][]).map((row) => {
    const actor = row[actorAt];
    const count = row[countAt];
    return { ...readActor(actor), count: typeof count === 'number' ? count : undefined };
  });
}

function readActor(actor: unknown): { id: string; name: string } {
  if (typeof actor !== 'object' || actor === null) return { id: String(actor), name: String(actor) };
  const { id, uuid, distinct_ids, properties } = actor as Record<string, unknown>;
  const known = (properties ?? {}) as Record<string, unknown>;
  const named = NAMES.map((name) => known[name]).find((value) => typeof value === 'string' && value !== '');
  const distinct = Array.isArray(distinct_ids) ? distinct_ids[0] : undefined;
  const key = String(uuid ?? id ?? '');
  return { id: key, name: String(named ?? distinct ?? key) };
}
