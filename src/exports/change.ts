// Creating and changing an export: judged whole, then written in one transaction.
import { makeUuidV7 } from '../capture/uuid.ts';
import { ApiError, invalid } from '../http/errors.ts';
import { isDict, pythonType } from '../http/fields.ts';
import type { BatchExportRow, BatchExportUpdate } from '../metadata/tables-exports.ts';
import { isZone } from '../platform/zone.ts';
import type { Clock } from './clock.ts';
import type { Destinations } from './destinations/all.ts';
import { readConfig } from './destinations/config.ts';
import { type Config, ConfigMistake, type Destination, type Model } from './destinations/destination.ts';
import { pauseExport, unpauseExport } from './pause.ts';
import { findDestination } from './runs/attempt.ts';
import { firstRunAfter, scheduleOne } from './schedule/due.ts';
import { intervalMs } from './schedule/schedule.ts';
import type { Vault } from './secrets.ts';
import { eventFilter } from './selection/events.ts';
import { type Db, insertExport, lockExport, updateExport } from './sql.ts';
import type { ExportDraft } from './wire.ts';

/** A `hogql_query` as what it selects; throws a 400 when it cannot be exported. */
export type ReadHogql = (team_id: number, query: string) => Promise<Record<string, unknown>>;

export interface ChangeParts {
  db: Db;
  clock: Clock;
  destinations: Destinations;
  vault: Vault;
  readHogql: ReadHogql;
}

export async function createExport(
  parts: ChangeParts,
  team_id: number,
  draft: ExportDraft & { name: string; interval: string; destination: Record<string, unknown> },
): Promise<BatchExportRow> {
  const id = makeUuidV7(Date.now());
  const { type, config } = readDestination(parts, draft.destination, draft.model ?? 'events');
  const columns = {
    model: 'events' as const,
    offset_day: null,
    offset_hour: null,
    ...(await readColumns(parts, team_id, draft)),
    name: draft.name,
    interval: draft.interval,
  };
  requireSelectable(columns.model, draft.filters ?? null, columns.schema ?? null);
  const sealed = { destination_type: type, config: parts.vault.seal(config, id) };
  const nowMs = await parts.clock();
  return parts.db.transaction().execute(async (tx) => {
    const row = await insertExport(tx, { ...columns, ...sealed, id, team_id });
    return updateExport(tx, id, {
      next_run_at: firstRunAfter(row, nowMs),
      paused_since: row.paused ? new Date(nowMs).toISOString() : null,
    });
  });
}

const SCHEDULING = ['interval', 'timezone', 'offset_day', 'offset_hour', 'start_at', 'end_at'] as const;

/** Changes what is given. Runs under way go on with what they began with. */
export async function changeExport(
  parts: ChangeParts,
  { id, team_id }: BatchExportRow,
  draft: ExportDraft,
): Promise<BatchExportRow> {
  const given = await readColumns(parts, team_id, draft);
  const nowMs = await parts.clock();
  return parts.db.transaction().execute(async (tx) => {
    if (draft.paused === true) await pauseExport(tx, id, nowMs, { told: false });
    if (draft.paused === false) await unpauseExport(tx, id, nowMs);
    const row = (await lockExport(tx, id))!;
    const changes: BatchExportUpdate = { ...given, ...(draft.destination && changeDestination(parts, row, draft)) };
    delete changes.paused;
    requireModel(parts, changes.model ?? row.model, row.destination_type);
    requireSelectable(
      changes.model ?? row.model,
      draft.filters === undefined ? row.filters : draft.filters,
      changes.schema === undefined ? row.schema : changes.schema,
    );
    if (SCHEDULING.every((name) => changes[name] === undefined)) return updateExport(tx, id, changes);
    // What has ended by the old schedule still counts by it.
    await scheduleOne(tx, row, nowMs);
    const changed = await updateExport(tx, id, changes);
    return updateExport(tx, id, { next_run_at: firstRunAfter(changed, nowMs) });
  });
}

/** Everything but the destination, judged; undefined where nothing was given. */
async function readColumns({ readHogql }: ChangeParts, team_id: number, draft: ExportDraft) {
  const { destination, hogql_query, filters, model, ...columns } = draft;
  if (columns.interval !== undefined && intervalMs(columns.interval) === undefined) {
    throw invalid(`"${columns.interval}" is not a valid choice.`, 'interval', 'invalid_choice');
  }
  if (columns.timezone !== undefined && !isZone(columns.timezone)) {
    throw invalid(`"${columns.timezone}" is not a valid choice.`, 'timezone', 'invalid_choice');
  }
  if (filters !== undefined) requireFilters(filters);
  return {
    ...columns,
    ...(model !== undefined && { model: model ?? ('events' as const) }),
    ...(filters !== undefined && { filters: filters === null ? null : JSON.stringify(filters) }),
    ...(hogql_query !== undefined && { schema: await readSchema(readHogql, team_id, hogql_query) }),
  };
}

async function readSchema(readHogql: ReadHogql, team_id: number, query: string | null): Promise<string | null> {
  return query === null ? null : JSON.stringify(await readHogql(team_id, query));
}

function requireFilters(filters: unknown): void {
  if (filters === null) return;
  if (!Array.isArray(filters) && !isDict(filters)) {
    throw invalid(`Expected a list of items but got type "${pythonType(filters)}".`, 'filters', 'not_a_list');
  }
  try {
    eventFilter(filters, 0);
  } catch (error) {
    throw error instanceof ApiError ? invalid(error.message, 'filters') : error;
  }
}

/** Filters and chosen columns are of events. */
function requireSelectable(model: Model, filters: unknown, schema: unknown): void {
  if (model === 'events') return;
  if (typeof filters === 'object' && filters !== null && Object.keys(filters).length > 0) {
    throw invalid(`'filters' is only supported for 'events' not '${model}' model`, 'filters');
  }
  if (schema !== null)
    throw invalid(`'hogql_query' is only supported for 'events' not '${model}' model`, 'hogql_query');
}

function requireModel({ destinations }: Pick<ChangeParts, 'destinations'>, model: Model, type: string): void {
  const models = findDestination(destinations, type)?.models ?? [];
  if (!models.includes(model)) {
    throw invalid(`${type} batch exports only support the ${models.join(' and ')} model`, 'model');
  }
}

// Destinations

export function readDestination(
  parts: Pick<ChangeParts, 'destinations'>,
  given: Record<string, unknown>,
  model: Model,
  stored?: { type: string; config: Config },
): { type: string; destination: Destination; config: Config } {
  const type = given.type ?? stored?.type;
  if (type === undefined) throw invalid('This field is required.', 'destination__type', 'required');
  const destination = findDestination(parts.destinations, String(type));
  if (!destination) throw invalid(`"${String(type)}" is not a valid choice.`, 'destination__type', 'invalid_choice');
  if (stored && destination.type !== stored.type) {
    throw invalid(
      `Cannot change destination type from '${stored.type}' to '${destination.type}'. Delete this batch export and create a new one with the new destination type.`,
      'destination',
    );
  }
  const config = given.config ?? {};
  if (!isDict(config)) {
    throw invalid(
      `Expected a dictionary of items but got type "${pythonType(config)}".`,
      'destination__config',
      'not_a_dict',
    );
  }
  requireModel(parts, model, destination.type);
  try {
    return { type: destination.type, destination, config: readConfig(destination, config, stored?.config) };
  } catch (error) {
    throw error instanceof ConfigMistake ? invalid(error.message, 'destination') : error;
  }
}

function changeDestination(parts: ChangeParts, row: BatchExportRow, { destination = {}, model }: ExportDraft) {
  const stored = { type: row.destination_type, config: storedConfig(parts, row) };
  const { config } = readDestination(parts, destination, model ?? row.model, stored);
  return { config: parts.vault.seal(config, row.id) };
}

/** A configuration that cannot be decrypted any more is replaced as a whole. */
export function storedConfig({ vault }: Pick<ChangeParts, 'vault'>, row: BatchExportRow): Config {
  try {
    return vault.open(row.config, row.id);
  } catch {
    return {};
  }
}
