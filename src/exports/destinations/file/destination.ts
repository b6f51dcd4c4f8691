// A folder on the server's own disk, laid out like a bucket.
import type { Config, Destination, Place } from '../destination.ts';
import { checkFormat } from '../files/format.ts';
import { findUuids } from '../files/found.ts';
import { type FileConfig, namingOf, shipFiles } from '../files/ship.ts';
import { openFolder } from './store.ts';

/** @param root nothing is written outside of it, whatever the configuration says */
export function fileDestination(root: string): Destination {
  return {
    type: 'File',
    models: ['events', 'persons', 'sessions'],
    fields: {
      prefix: { type: 'str', required: true },
      file_format: { type: 'str', fallback: 'JSONLines' },
      compression: { type: 'str', fallback: null },
      max_file_size_mb: { type: 'int', fallback: null },
    },
    check: checkFormat,
    ship: (shipment) => shipFiles(openFolder(root, shipment.signal), shipment, parse(shipment.config)),
    tests: [],
    found: async (place: Place) => findUuids(openFolder(root, place.signal), namingOf(place, parse(place.config))),
  };
}

const parse = (config: Config) => config as unknown as FileConfig;
