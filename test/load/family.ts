// People who have to do with each other: they are identified, aliased, merged, and say things about themselves.
import { partitionOf } from '../../src/log/partition.ts';
import type { Random } from '../random.ts';
import { type ReferencePerson, ReferenceProject } from '../reference/people.ts';
import { makeUuid, type SentEvent } from './client.ts';

const TEAM = 1;
const LOG_PARTITIONS = 16;
const IDS = 5;
const START = Date.UTC(2025, 0, 1);
const KINDS = ['seen', 'seen', 'seen', '$set', '$identify', '$create_alias', '$merge_dangerously'];

export class Family {
  readonly ids: string[] = [];
  readonly #random: Random;
  #made = 0;

  /** All ids share a partition of the log, so the order of their events among each other is certain too. */
  constructor(name: string, random: Random) {
    this.#random = random;
    for (let n = 0; this.ids.length < IDS; n += 1) {
      const home = partitionOf(`${TEAM}:${this.ids[0] ?? `${name}-${n}`}`, LOG_PARTITIONS);
      if (partitionOf(`${TEAM}:${name}-${n}`, LOG_PARTITIONS) === home) this.ids.push(`${name}-${n}`);
    }
  }

  makeEvent(): SentEvent {
    const random = this.#random;
    const n = this.#made++;
    const event = random.pick(KINDS);
    const properties: Record<string, unknown> = { n };
    if (random.chance(0.5)) properties.$set = { [random.pick(['plan', 'name'])]: random.int(4), last: n };
    if (random.chance(0.2)) properties.$set_once = { first: n };
    if (random.chance(0.1)) properties.$unset = ['plan'];
    if (event === '$identify' && random.chance(0.6)) properties.$anon_distinct_id = random.pick(this.ids);
    if (/alias|merge/.test(event)) properties.alias = random.pick(this.ids);
    const timestamp = new Date(START + n * 1_000).toISOString();
    return { uuid: makeUuid(random), event, distinct_id: random.pick(this.ids), timestamp, properties };
  }
}

export interface Expected {
  persons: ReferencePerson[];
  /** By the uuid of each event, the person it shows. */
  shown: Map<string, string>;
}

/** What must be true after these events of one family, by a plain sequential reading of them. */
export function expectAfter(sent: readonly SentEvent[]): Expected {
  const project = new ReferenceProject(TEAM);
  const shown = new Map<string, string>();
  for (const event of sent) {
    const person = project.take({ ...event, timestamp: Date.parse(event.timestamp) * 1_000 });
    if (person !== undefined) shown.set(event.uuid, person);
  }
  return { persons: project.persons, shown };
}
