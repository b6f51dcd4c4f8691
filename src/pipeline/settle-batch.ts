// Records of the log → rows, and what they change. Nothing here reads a clock, a file or a database: the same records
// with the same knowledge give the same rows, which is what makes a batch repeatable after a crash.
import { captureDrops } from '../capture/drops.ts';
import type { JsonObject } from '../capture/exact-json.ts';
import type { DropRecord, LogRecord } from '../capture/record.ts';
import { buildRow, type UnstampedRow } from './build-row.ts';
import type { RaisedWarning } from './debounce-warnings.ts';
import type { DropReason, PipelineDropReason } from './drop-reasons.ts';
import { type GroupChanges, GroupLedger, type StoredGroup } from './group-ledger.ts';
import { readLink } from './merge-persons.ts';
import { type PeopleChanges, PeopleLedger, type PersonEvent, type StoredPeople } from './people-ledger.ts';
import {
  type DroppedEvent,
  type FindPlace,
  type PreparedEvent,
  type ProjectRules,
  prepareEvent,
} from './prepare-event.ts';
import type { Warning } from './warnings.ts';

export interface BatchItem {
  partition: number;
  position: number;
  record: LogRecord;
}

/** What the batch must know of a project. */
export interface ProjectBefore {
  rules: ProjectRules;
  group_types: [group_type: string, index: number][];
  people: StoredPeople;
  groups: StoredGroup[];
}

/** Events that are left out for a reason that their records do not tell, by `placeOf`. */
export type LeftOut = ReadonlyMap<string, PipelineDropReason>;
export const placeOf = ({ partition, position }: { partition: number; position: number }): string =>
  `${partition} ${position}`;

export interface PreparedItem extends BatchItem {
  /** Undefined for what capture has left out. */
  outcome: PreparedEvent | DroppedEvent | undefined;
}

export type OnFailure = (error: unknown, item: BatchItem) => void;

export function prepareBatch(
  items: readonly BatchItem[],
  rulesOf: (team_id: number) => ProjectRules | undefined,
  leftOut: LeftOut,
  findPlace: FindPlace,
  onFailure: OnFailure,
): PreparedItem[] {
  const prepare = (item: BatchItem): PreparedEvent | DroppedEvent | undefined => {
    const { record } = item;
    if (record.kind === 'drop') return undefined;
    const rules = rulesOf(record.team_id);
    if (!rules) return { dropped: 'unknown_project', warning: undefined };
    const dropped = leftOut.size > 0 ? leftOut.get(placeOf(item)) : undefined;
    if (dropped) return { dropped, warning: leftOutWarning(dropped, record) };
    try {
      return prepareEvent(record, rules, findPlace);
    } catch (error) {
      onFailure(error, item);
      return { dropped: 'processing_failed', warning: leftOutWarning('processing_failed', record) };
    }
  };
  return items.map((item) => ({
    partition: item.partition,
    position: item.position,
    record: item.record,
    outcome: prepare(item),
  }));
}

function leftOutWarning(
  reason: PipelineDropReason,
  about: { uuid: string; event: string; distinct_id: string },
): Warning {
  return {
    type: reason === 'duplicate' ? 'duplicate_event' : 'processing_failed',
    details: { eventUuid: about.uuid, event: about.event, distinctId: about.distinct_id },
  };
}

/** What must be looked up before a batch can be settled, by project. */
export interface Mentioned {
  ids: Set<string>;
  /** Ids that are linked to others: all ids of their persons are needed. */
  linked: Set<string>;
  groups: Map<string, Set<string>>;
}

export function listMentioned(items: readonly PreparedItem[]): Map<number, Mentioned> {
  const projects = new Map<number, Mentioned>();
  for (const { outcome } of items) {
    if (!outcome || 'dropped' in outcome) continue;
    const { team_id } = outcome.record;
    let mentioned = projects.get(team_id);
    if (!mentioned) {
      mentioned = { ids: new Set(), linked: new Set(), groups: new Map() };
      projects.set(team_id, mentioned);
    }
    mentioned.ids.add(outcome.distinct_id);
    const link = outcome.update && readLink(outcome.event, outcome.distinct_id, outcome.properties);
    if (link) for (const id of [link.source, link.target]) mentioned.linked.add(id);
    if (outcome.groupUpdate) {
      const { group_type, group_key } = outcome.groupUpdate;
      const keys = mentioned.groups.get(group_type);
      if (keys) keys.add(group_key);
      else mentioned.groups.set(group_type, new Set([group_key]));
    }
  }
  return projects;
}

/** Events of one project and hour with one fate: 'stored', or 'dropped:' and the reason. */
export type Count = [team_id: number, hourMs: number, fate: string, events: number];

export interface ProjectChanges {
  people: PeopleChanges;
  groups: GroupChanges;
}

export interface SettledBatch {
  rows: UnstampedRow[];
  /** The events of `rows`, in the same order. */
  stored: PreparedEvent[];
  changes: Map<number, ProjectChanges>;
  /** Every project's group types as they are after the batch. */
  groupTypes: Map<number, ReadonlyMap<string, number>>;
  warnings: RaisedWarning[];
  counts: Count[];
}

const HOUR_MS = 3_600_000;
/** Properties of an event and of its person together. */
const ROW_BYTES_MAX = 1_000_000;
const NO_GROUPS: JsonObject = {};

export function settleBatch(
  items: readonly PreparedItem[],
  before: ReadonlyMap<number, ProjectBefore>,
  onFailure: OnFailure,
): SettledBatch {
  const ledgers = openLedgers(before);
  const tally = new Tally();
  const rows: UnstampedRow[] = [];
  const stored: PreparedEvent[] = [];
  for (const item of items) {
    const { record, outcome } = item;
    if (record.kind === 'drop') {
      tally.drop(record, record.reason, record.count);
      tally.warn(record.team_id, record.details.event ?? '', captureWarning(record));
      continue;
    }
    if (!outcome || 'dropped' in outcome) {
      tally.drop(record, outcome?.dropped ?? 'processing_failed');
      if (outcome?.warning) tally.warn(record.team_id, record.event, outcome.warning);
      continue;
    }
    const settled = settle(item, outcome, ledgers.get(record.team_id)!, onFailure);
    for (const warning of outcome.warnings) tally.warn(record.team_id, outcome.event, warning);
    for (const warning of settled.warnings) tally.warn(record.team_id, outcome.event, warning);
    if ('dropped' in settled) {
      tally.drop(record, settled.dropped);
      continue;
    }
    rows.push(settled.row);
    stored.push(outcome);
    tally.count(record, 'stored');
  }
  const changes = [...ledgers].map(([team_id, { people, groups }]): [number, ProjectChanges] => [
    team_id,
    { people: people.changes(), groups: groups.changes() },
  ]);
  return {
    rows,
    stored,
    changes: new Map(changes),
    groupTypes: new Map([...ledgers].map(([team_id, { groups }]) => [team_id, groups.types])),
    warnings: tally.warnings,
    counts: tally.counts,
  };
}

interface Ledgers {
  rules: ProjectRules;
  people: PeopleLedger;
  groups: GroupLedger;
}

function openLedgers(before: ReadonlyMap<number, ProjectBefore>): Map<number, Ledgers> {
  const open = (team_id: number, { rules, people, group_types, groups }: ProjectBefore): Ledgers => ({
    rules,
    people: new PeopleLedger(team_id, people, rules.person_processing_opt_out),
    groups: new GroupLedger(new Map(group_types), groups),
  });
  return new Map([...before].map(([team_id, project]) => [team_id, open(team_id, project)]));
}

type Settled = { row: UnstampedRow; warnings: Warning[] } | { dropped: PipelineDropReason; warnings: Warning[] };

/** The person first, then the groups, then the row. */
function settle(
  item: PreparedItem,
  prepared: PreparedEvent,
  { rules, people, groups }: Ledgers,
  onFailure: OnFailure,
): Settled {
  const { partition, position } = item;
  try {
    const { update, record } = prepared;
    const person = update ? people.apply(prepared as PersonEvent) : people.passBy(prepared);
    const named = update ? groups.name(prepared.properties) : NO_GROUPS;
    if (prepared.groupUpdate) groups.update(prepared.groupUpdate, prepared.timestamp, record.now * 1_000);
    const row = buildRow({ prepared, person, groups: named, rules, partition, position });
    const characters = row.properties.length + row.person_properties.length;
    // A character takes three bytes at most, so counting them is rarely needed.
    if (characters * 3 > ROW_BYTES_MAX && bytesOf(row) > ROW_BYTES_MAX) {
      return { dropped: 'message_size_too_large', warnings: [...person.warnings, rowTooLarge(prepared)] };
    }
    return { row, warnings: person.warnings };
  } catch (error) {
    onFailure(error, item);
    return { dropped: 'processing_failed', warnings: [leftOutWarning('processing_failed', prepared)] };
  }
}

const bytesOf = ({ properties, person_properties }: UnstampedRow): number =>
  Buffer.byteLength(properties) + Buffer.byteLength(person_properties);

function rowTooLarge({ uuid, event, distinct_id }: PreparedEvent): Warning {
  const details = { eventUuid: uuid, event, distinctId: distinct_id, maxBytes: ROW_BYTES_MAX };
  return { type: 'message_size_too_large', details };
}

function captureWarning({ reason, count, details }: DropRecord): { type: string; details: unknown } {
  const { warning, says } = captureDrops[reason];
  return { type: warning, details: { ...details, count, message: says } };
}

/** What became of the events, counted; and what is to be told. */
class Tally {
  readonly warnings: RaisedWarning[] = [];
  readonly #counts = new Map<string, Count>();
  #last: { team_id: number; hourMs: number; fate: string; count: Count } | undefined;

  get counts(): Count[] {
    return [...this.#counts.values()];
  }

  drop(record: LogRecord, reason: DropReason, events = 1): void {
    this.count(record, `dropped:${reason}`, events);
  }

  count({ team_id, now }: LogRecord, fate: string, events = 1): void {
    const hourMs = now - (now % HOUR_MS);
    const last = this.#last;
    if (last && last.team_id === team_id && last.hourMs === hourMs && last.fate === fate) {
      last.count[3] += events;
      return;
    }
    const key = `${team_id} ${hourMs} ${fate}`;
    let count = this.#counts.get(key);
    if (!count) {
      count = [team_id, hourMs, fate, 0];
      this.#counts.set(key, count);
    }
    count[3] += events;
    this.#last = { team_id, hourMs, fate, count };
  }

  warn(team_id: number, key: string, { type, details }: { type: string; details: unknown }): void {
    this.warnings.push({ team_id, type, key, details });
  }
}
