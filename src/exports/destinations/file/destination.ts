// A folder on the server's own disk, laid out like a bucket.
import { Readable } from 'node:stream';
import type { Config, Destination, Place } from '../destination.ts';
import { checkFormat } from '../files/format.ts';
import { findIds } from '../files/found.ts';
import { fileKey } from '../files/keys.ts';
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
    tests: [
      {
        name: 'Check folder can be written to',
        description: 'Ensure a file can be written below the configured prefix.',
        async run(config, signal) {
          const place = { interval: { start: null, end: new Date() }, model: 'events' as const };
          const file = openFolder(root, signal).create(fileKey(namingOf(place, parse(config))));
          await file.write(Readable.from([Buffer.from('{}\n')]), () => {}).finally(() => file.discard());
        },
      },
    ],
    found: async (place: Place) => findIds(openFolder(root, place.signal), namingOf(place, parse(place.config))),
  };
}

const parse = (config: Config) => config as unknown as FileConfig;
