import type { StoredEvent } from '../../api/use-events.ts';

export interface PropertyChange {
  key: string;
  name: string;
  /** `once`: only when nothing was known before. */
  kind: 'set' | 'set once' | 'removed';
  value: unknown;
  event: StoredEvent;
}

const entriesOf = (given: unknown): [string, unknown][] =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? Object.entries(given) : [];

/** What events asked to be changed about a person, in the order of the events. */
export function listChanges(events: readonly StoredEvent[]): PropertyChange[] {
  return events.flatMap((event) => {
    const { $set, $set_once, $unset } = event.properties;
    const change = (kind: PropertyChange['kind'], name: string, value: unknown): PropertyChange => ({
      key: `${event.id} ${kind} ${name}`,
      kind,
      name,
      value,
      event,
    });
    return [
      ...entriesOf($set).map(([name, value]) => change('set', name, value)),
      ...entriesOf($set_once).map(([name, value]) => change('set once', name, value)),
      ...(Array.isArray($unset) ? $unset : []).map((name) => change('removed', String(name), undefined)),
    ];
  });
}
