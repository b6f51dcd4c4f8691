// What one attempt at a run works with: its interval, its configuration, and the words it leaves behind.
import type { BatchExportRow, RunRow } from '../../metadata/tables-exports.ts';
import type { Destinations } from '../destinations/all.ts';
import { withDefaults, withoutSecrets } from '../destinations/config.ts';
import { type Config, type Destination, DestinationError, type Place } from '../destinations/destination.ts';
import type { Vault } from '../secrets.ts';
import { type CustomSchema, readEventNames, type Selection } from '../selection/selection.ts';
import { hiderOf, listSecrets } from './failure.ts';

export interface Opened {
  destination: Destination;
  config: Config;
  selection: Omit<Selection, 'range'>;
  /** Takes the export's secrets out of a text. */
  hide(text: string): string;
}

/** The export as its runs see it. A failure is the owner's to mend. */
export function openExport(row: BatchExportRow, destinations: Destinations, vault: Vault): Opened {
  const destination = findDestination(destinations, row.destination_type);
  if (!destination) {
    throw new DestinationError('UnknownDestination', `There is no destination ${row.destination_type}.`, {
      final: true,
    });
  }
  let stored: Config;
  try {
    stored = vault.open(row.config, row.id);
  } catch (error) {
    throw new DestinationError('UnreadableConfiguration', (error as Error).message, { final: true, cause: error });
  }
  const hasFilters = row.filters !== null && Object.keys(row.filters as object).length > 0;
  return {
    destination,
    config: withDefaults(destination, stored),
    selection: {
      team_id: row.team_id,
      model: row.model,
      include: readEventNames(stored, 'include_events'),
      exclude: readEventNames(stored, 'exclude_events'),
      filters: hasFilters ? row.filters : undefined,
      schema: (row.schema as CustomSchema | null) ?? undefined,
    },
    hide: hiderOf(listSecrets(stored, withoutSecrets(destination, stored))),
  };
}

export const findDestination = (destinations: Destinations, type: string): Destination | undefined =>
  Object.hasOwn(destinations, type) ? destinations[type as keyof Destinations] : undefined;

export type RunInterval = Pick<RunRow, 'data_interval_start' | 'data_interval_end'>;

export function placeOf(
  row: BatchExportRow,
  { config }: Pick<Opened, 'config'>,
  { data_interval_start, data_interval_end }: RunInterval,
  signal: AbortSignal,
): Place {
  return {
    exportId: row.id,
    teamId: row.team_id,
    model: row.model,
    config,
    interval: {
      start: data_interval_start === null ? null : new Date(data_interval_start),
      end: new Date(data_interval_end),
    },
    signal,
  };
}

export const rangeOf = ({ data_interval_start, data_interval_end }: RunInterval) => ({
  from: data_interval_start === null ? null : Date.parse(data_interval_start) * 1_000,
  to: Date.parse(data_interval_end) * 1_000,
});
