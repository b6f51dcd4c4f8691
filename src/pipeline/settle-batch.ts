// Records of the log → rows, and what they change. Nothing here reads a clock, a file or a database: the same records
// with the same knowledge give the same rows, which is what makes a batch repeatable after a crash.
import { captureDrops } from '../capture/drops.ts';
import { type JsonObject, parseExact } from '../capture/exact-json.ts';
import type { DropRecord, EventRecord, LogRecord } from '../capture/record.ts';
import { buildRow, type UnstampedRow } from './build-row.ts';
import type { RaisedWarning } from './debounce-warnings.ts';
import type { DropReason, PipelineDropReason } from './drop-reasons.ts';
import { settleEventName } from './event-name.ts';
import { type GroupChanges, GroupLedger, type StoredGroup } from './group-ledger.ts';
import { readGroupUpdate } from './groups.ts';
import { isLinking, readLink } from './merge-persons.ts';
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

export type OnFailure = (error: unknown, item: BatchItem) => void;

/** What can be said of an event by itself; undefined for what capture has left out. */
export type Prepare = (item: BatchItem) => PreparedEvent | DroppedEvent | undefined;

export function preparer(
  rulesOf: (team_id: number) => ProjectRules | undefined,
  leftOut: LeftOut,
  findPlace: FindPlace,
  onFailure: OnFailure,
): Prepare {
  return (item) => {
    const { record } = item;
    if (record.kind === 'drop') return undefined;
    const rules = rulesOf(record.team_id);
    if (!rules) return { dropped: 'unknown_project', warning: undefined };
    const dropped = findLeftOut(leftOut, item);
    if (dropped) return { dropped, warning: leftOutWarning(dropped, record) };
    try {
      return prepareEvent(record, rules, findPlace);
    } catch (error) {
      onFailure(error, item);
      return { dropped: 'processing_failed', warning: leftOutWarning('processing_failed', record) };
    }
  };
}

const findLeftOut = (leftOut: LeftOut, item: BatchItem) => (leftOut.size > 0 ? leftOut.get(placeOf(item)) : undefined);

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

/** Those of events that will be dropped may be among them. Only events that name others are parsed for it. */
export function listMentioned(
  items: readonly BatchItem[],
  isKnown: (team_id: number) => boolean,
  leftOut: LeftOut,
): Map<number, Mentioned> {
  const projects = new Map<number, Mentioned>();
  for (const item of items) {
    const { record } = item;
    if (record.kind === 'drop' || !isKnown(record.team_id) || findLeftOut(leftOut, item)) continue;
    let mentioned = projects.get(record.team_id);
    if (!mentioned) {
      mentioned = { ids: new Set(), linked: new Set(), groups: new Map() };
      projects.set(record.team_id, mentioned);
    }
    mentioned.ids.add(record.distinct_id);
    mentionOthers(record, mentioned);
  }
  return projects;
}

function mentionOthers(record: EventRecord, { linked, groups }: Mentioned): void {
  const event = settleEventName(record.event);
  if (event !== '$groupidentify' && !isLinking(event)) return;
  const properties = parseExact(record.properties.toString()) as JsonObject;
  const link = readLink(event, record.distinct_id, properties);
  if (link) for (const id of [link.source, link.target]) linked.add(id);
  const group = event === '$groupidentify' ? readGroupUpdate(properties) : undefined;
  if (!group || 'dropped' in group) return;
  const keys = groups.get(group.group_type);
  if (keys) keys.add(group.group_key);
  else groups.set(group.group_type, new Set([group.group_key]));
}

/** Events of one project and hour with one fate: 'stored', or 'dropped:' and the reason. */
export type Count = [team_id: number, hourMs: number, fate: string, events: number];

export interface ProjectChanges {
  people: PeopleChanges;
  groups: GroupChanges;
}

export interface SettledBatch {
  rows: UnstampedRow[];
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

/** Told of each event that becomes a row, with the group types that its project has by then. */
export type OnStored = (event: PreparedEvent, groupTypes: ReadonlyMap<string, number>) => void;

/** Each event is prepared when its turn comes and let go of after: of a batch, only rows and changes stay in memory. */
export function settleBatch(
  items: readonly BatchItem[],
  before: ReadonlyMap<number, ProjectBefore>,
  prepare: Prepare,
  onFailure: OnFailure,
  onStored: OnStored = () => {},
): SettledBatch {
  const ledgers = openLedgers(before);
  const tally = new Tally();
  const rows: UnstampedRow[] = [];
  for (const item of items) {
    const { record } = item;
    if (record.kind === 'drop') {
      tally.drop(record, record.reason, record.count);
      tally.warn(record.team_id, record.details.event ?? '', captureWarning(record));
      continue;
    }
    const outcome = prepare(item);
    if (!outcome || 'dropped' in outcome) {
      tally.drop(record, outcome?.dropped ?? 'processing_failed');
      if (outcome?.warning) tally.warn(record.team_id, record.event, outcome.warning);
      continue;
    }
    const project = ledgers.get(record.team_id)!;
    const settled = settle(item, outcome, project, onFailure);
    for (const warning of outcome.warnings) tally.warn(record.team_id, outcome.event, warning);
    for (const warning of settled.warnings) tally.warn(record.team_id, outcome.event, warning);
    if ('dropped' in settled) {
      tally.drop(record, settled.dropped);
      continue;
    }
    rows.push(settled.row);
    onStored(outcome, project.groups.types);
    tally.count(record, 'stored');
  }
  const changes = [...ledgers].map(([team_id, { people, groups }]): [number, ProjectChanges] => [
    team_id,
    { people: people.changes(), groups: groups.changes() },
  ]);
  return {
    rows,
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
  item: BatchItem,
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
