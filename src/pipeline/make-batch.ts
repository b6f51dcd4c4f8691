// From records to a recorded batch and its rows; and, after a crash, from a recorded batch to the same rows.
import type { Pool } from 'pg';
import type { EventLog } from '../log/log.ts';
import type { Logger } from '../platform/logger.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { type BatchRows, toBatchRows } from './batch-rows.ts';
import { WarningDebouncer } from './debounce-warnings.ts';
import type { PipelineDropReason } from './drop-reasons.ts';
import { KnownDefinitions } from './known-definitions.ts';
import { loadGroups, loadPeople } from './load-people.ts';
import { PeopleCache } from './people-cache.ts';
import type { StoredPeople } from './people-ledger.ts';
import type { FindPlace, ProjectRules } from './prepare-event.ts';
import { KnownProjects } from './projects.ts';
import type { ReadBatch } from './read-batch.ts';
import { BatchReader } from './read-batch.ts';
import {
  type BatchRecord,
  OwnerChanged,
  type Ownership,
  type PositionRange,
  recordBatch,
  type UnfinishedBatch,
} from './record-batch.ts';
import { type SeenEvents, type SeenKey, seenKey } from './seen-events.ts';
import {
  type BatchItem,
  type LeftOut,
  listMentioned,
  type Mentioned,
  type Prepare,
  type ProjectBefore,
  placeOf,
  preparer,
  type SettledBatch,
  settleBatch,
} from './settle-batch.ts';
import { PeopleChanged } from './write-people.ts';

export interface RecordedBatch {
  record: BatchRecord;
  rows: BatchRows;
  positions: readonly PositionRange[];
  /** Records of the log, whatever became of them. */
  records: number;
}

/** A batch cannot be recorded, and nobody knows which of its records is the reason: try with fewer. */
export class BatchRefused extends Error {
  readonly records: number;

  constructor(records: number, cause: unknown) {
    super(`a batch of ${records} records cannot be recorded: ${(cause as Error).message}`, { cause });
    this.records = records;
  }
}

interface MakerParts {
  eventLog: EventLog;
  pool: Pool;
  seen: SeenEvents;
  findPlace: FindPlace | undefined;
  log: Logger;
}

/** Others change the same people rarely; so often in a row only if something is wrong. */
const ATTEMPTS_MAX = 20;
const nowhere: FindPlace = () => undefined;

export class BatchMaker {
  ownership: Ownership;
  readonly #parts: MakerParts;
  readonly #projects: KnownProjects;
  readonly #definitions = new KnownDefinitions();
  readonly #debouncer = new WarningDebouncer();
  readonly #people = new PeopleCache();

  constructor(parts: MakerParts, ownership: Ownership) {
    this.#parts = parts;
    this.ownership = ownership;
    this.#projects = new KnownProjects(parts.pool);
  }

  /** `catchUp` is called when people were changed from outside, before the batch is settled again. */
  async make(batch: ReadBatch, catchUp: () => Promise<unknown>): Promise<RecordedBatch> {
    const { leftOut, keys } = this.#findRepeated(batch.items);
    try {
      return await this.#make(batch, leftOut, keys, catchUp);
    } catch (error) {
      if (isPassing(error)) throw error;
      const [item] = batch.items;
      if (!item || batch.items.length > 1) throw new BatchRefused(batch.items.length, error);
      this.#onFailure(error, item);
      return this.#make(batch, new Map([[placeOf(item), 'processing_failed']]), [], catchUp);
    }
  }

  /** The rows of a batch that was recorded before. Its people are written already. */
  async makeAgain(batch: UnfinishedBatch): Promise<BatchRows> {
    const { eventLog, seen, findPlace = nowhere, log } = this.#parts;
    const items = await new BatchReader(eventLog, [], log).readAgain(batch.positions);
    const { projects, leftOut, warnings } = batch.before!;
    const prepare = preparer((id) => projects.get(id)?.rules, leftOut, findPlace, this.#onFailure);
    const settled = settleBatch(items, projects, prepare, this.#onFailure);
    await seen.add(keysOf(items, leftOut), Date.now());
    return toBatchRows(batch, settled, warnings);
  }

  /** Drops whatever others may have changed. */
  forget(ownership: Ownership): void {
    this.ownership = ownership;
    this.#projects.clear();
    this.#people.clear();
    this.#definitions.clear();
    this.#debouncer.clear();
  }

  async #make(
    { items, positions }: ReadBatch,
    leftOut: LeftOut,
    keys: readonly SeenKey[],
    catchUp: () => Promise<unknown>,
  ): Promise<RecordedBatch> {
    const { seen, findPlace = nowhere } = this.#parts;
    const team_ids = new Set(items.map(({ record }) => record.team_id));
    await this.#projects.refresh(team_ids);
    // A batch keeps to one set of rules, even if it has to be settled twice.
    const rules = new Map([...team_ids].map((id) => [id, this.#projects.find(id)?.rules]));
    const prepare = preparer((id) => rules.get(id), leftOut, findPlace, this.#onFailure);
    const mentioned = listMentioned(items, (id) => rules.get(id) !== undefined, leftOut);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const projects = await this.#look(mentioned, rules);
        const recorded = await this.#record({ items, positions }, projects, prepare, leftOut);
        await seen.add(keys, Date.now());
        return { ...recorded, positions, records: items.length };
      } catch (error) {
        if (!(error instanceof PeopleChanged) || attempt === ATTEMPTS_MAX) throw error;
        this.#parts.log.debug({ err: error }, 'people were changed meanwhile; the batch is settled again');
        await catchUp();
        await this.#projects.refresh(team_ids);
      }
    }
  }

  async #record(
    { items, positions }: Pick<ReadBatch, 'items' | 'positions'>,
    projects: ReadonlyMap<number, ProjectBefore>,
    prepare: Prepare,
    leftOut: LeftOut,
  ): Promise<Pick<RecordedBatch, 'record' | 'rows'>> {
    try {
      const collector = this.#definitions.collector(Date.now());
      const settled = settleBatch(items, projects, prepare, this.#onFailure, collector.add);
      const warnings = this.#debouncer.select(settled.warnings, Date.now());
      const withEvents = new Set(settled.rows.map(({ team_id }) => team_id));
      const batch = {
        positions,
        before: { projects, leftOut, warnings },
        changes: settled.changes,
        definitions: collector.definitions(),
        counts: settled.counts,
        firstEvents: [...withEvents].filter((id) => !this.#projects.find(id)?.ingested_event),
      };
      const record = await recordBatch(this.#parts.pool, batch, this.ownership);
      this.#people.remember(projects, settled.changes);
      this.#learn(settled, withEvents);
      return { record, rows: toBatchRows(record, settled, warnings) };
    } catch (error) {
      // What counts as written was not, and what was believed may be wrong.
      this.#people.clear();
      this.#definitions.clear();
      this.#debouncer.clear();
      throw error;
    }
  }

  /** What is known now of the projects, people and groups that the batch mentions. */
  async #look(
    mentioned: ReadonlyMap<number, Mentioned>,
    rules: ReadonlyMap<number, ProjectRules | undefined>,
  ): Promise<Map<number, ProjectBefore>> {
    const { pool } = this.#parts;
    const typesOf = (team_id: number) => this.#projects.find(team_id)?.group_types ?? new Map<string, number>();
    const { known, asked } = this.#people.split(mentioned);
    const [found, groups] = await Promise.all([loadPeople(pool, asked), loadGroups(pool, mentioned, typesOf)]);
    return new Map(
      [...mentioned.keys()].map((team_id): [number, ProjectBefore] => [
        team_id,
        {
          rules: rules.get(team_id)!,
          group_types: [...typesOf(team_id)],
          people: joinPeople(known.get(team_id)!, found.get(team_id)),
          groups: groups.get(team_id) ?? [],
        },
      ]),
    );
  }

  #learn({ groupTypes }: SettledBatch, withEvents: ReadonlySet<number>): void {
    for (const [team_id, types] of groupTypes) this.#projects.learn(team_id, types, withEvents.has(team_id));
  }

  /** Events that were seen before, also earlier in the same batch; and the keys of all others. */
  #findRepeated(items: readonly BatchItem[]): { leftOut: LeftOut; keys: SeenKey[] } {
    const leftOut = new Map<string, PipelineDropReason>();
    const keys: SeenKey[] = [];
    const inBatch = new Set<string>();
    for (const item of items) {
      if (item.record.kind !== 'event') continue;
      const key = seenKey(item.record);
      const text = key.toString('latin1');
      if (inBatch.has(text) || this.#parts.seen.has(key)) leftOut.set(placeOf(item), 'duplicate');
      else keys.push(key);
      inBatch.add(text);
    }
    return { leftOut, keys };
  }

  readonly #onFailure = (error: unknown, { partition, position, record }: BatchItem): void => {
    const { team_id } = record;
    this.#parts.log.error({ err: error, partition, position, team_id }, 'an event cannot be processed; it is left out');
  };
}

/** A person or id may be in both; they are the same there. */
function joinPeople(known: StoredPeople, found: StoredPeople | undefined): StoredPeople {
  if (!found) return known;
  return {
    persons: [...known.persons, ...found.persons],
    distinct_ids: [...known.distinct_ids, ...found.distinct_ids],
    personless: [...known.personless, ...found.personless],
    uuids: found.uuids ?? [],
    former_ids: found.former_ids ?? [],
  };
}

function keysOf(items: readonly BatchItem[], leftOut: LeftOut): SeenKey[] {
  return items.flatMap((item) =>
    item.record.kind === 'event' && !leftOut.has(placeOf(item)) ? [seenKey(item.record)] : [],
  );
}

/** Failures that say nothing about the batch. */
const isPassing = (error: unknown): boolean =>
  error instanceof Unavailable || error instanceof OwnerChanged || error instanceof PeopleChanged;
