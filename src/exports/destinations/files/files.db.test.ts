// Files in a bucket and in a folder: what is captured comes back value by value, and a repetition replaces its own files.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { assertTold } from '../../../../test/exports/cases.ts';
import { hostileProperties, hostileTexts, unstorableProperties } from '../../../../test/exports/hostile.ts';
import { type S3Server, startS3Server } from '../../../../test/exports/s3-server.ts';
import { eventInHour, openSource, type Source } from '../../../../test/exports/source.ts';
import { openTempFolder, type TempFolder } from '../../../../test/temp-folder.ts';
import type { EventRow } from '../../../store/tables/rows.ts';
import { type Destinations, openDestinations } from '../all.ts';
import { withDefaults } from '../config.ts';
import type { Config, Destination, DestinationType, Shipment } from '../destination.ts';
import { fileDestination } from '../file/destination.ts';

const nothing = (async function* () {})();
const HOSTILE = 1;
const MANY = 2;
const BASE = '2025-03-04T09:00:00+00:00-2025-03-04T10:00:00+00:00';

let source: Source;
let s3: S3Server;
let folder: TempFolder;
let destinations: Destinations;

/** Two stores with one layout; what holds for one holds for the other. */
const stores: Readonly<
  Record<'S3' | 'File', () => { config: Config; read(key: string): Promise<Buffer>; keys(): Promise<string[]> }>
> = {
  S3: () => ({ config: s3.access, read: (key) => s3.read(key), keys: () => s3.keys() }),
  File: () => ({
    config: {},
    read: (key) => readFile(join(folder.path, key)),
    keys: async () =>
      (await readdir(folder.path, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.path.length + 1))
        .sort(),
  }),
};

before(async () => {
  [source, s3, folder] = await Promise.all([openSource(), startS3Server(), openTempFolder()]);
  destinations = openDestinations({ privateNetworksAllowed: true, filesFolder: folder.path });
  await source.insert(hostileRows);
  await source.insert(manyRows);
});
after(async () => {
  await source[Symbol.asyncDispose]();
  await s3[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const hostileRows: EventRow[] = [
  ...Object.values(hostileProperties),
  ...unstorableProperties.map(({ sent }) => sent),
].map((properties, n) => {
  const text = hostileTexts[n % hostileTexts.length]!;
  return eventInHour(n, {
    team_id: HOSTILE,
    event: text,
    distinct_id: text,
    elements_chain: text,
    properties: toReadable(properties),
    properties_sent: toReadable(properties) === properties ? '' : properties,
    person_properties: properties.includes('ud') ? '{}' : properties,
  });
});

function toReadable(properties: string): string {
  return /\\ud8(?!3e)|\\udc|\\uD/.test(properties) ? '{}' : properties;
}

const manyRows: EventRow[] = Array.from({ length: 1_200 }, (_, n) =>
  eventInHour(n, { team_id: MANY, properties: JSON.stringify({ n, filler: `${n}`.repeat(400) }) }),
);

async function ship(type: DestinationType, teamId: number, config: Config, given: Partial<Shipment> = {}) {
  const destination = destinations[type] as Destination;
  const shipment = await source.shipment({ teamId, config: withDefaults(destination, config) });
  const shipped = await destination.ship(Object.assign(shipment, given));
  return { shipment, shipped };
}

/** What should be in a file for each captured event, by uuid. */
const expected = new Map(
  hostileRows.map((row) => [
    row.uuid,
    {
      uuid: row.uuid,
      event: row.event,
      distinct_id: row.distinct_id,
      person_id: row.person_id,
      elements_chain: row.elements_chain,
      timestamp: isoOf(row.timestamp),
      created_at: isoOf(row.created_at),
      _inserted_at: isoOf(row.inserted_at),
    },
  ]),
);
const sentOf = (uuid: string): EventRow => hostileRows.find((row) => row.uuid === uuid)!;
const textOf = (row: EventRow): string => String(row.properties_sent || row.properties);

function isoOf(micros: number): string {
  const fraction = micros % 1_000_000;
  const seconds = new Date(Math.floor(micros / 1_000_000) * 1_000).toISOString().slice(0, 19);
  return `${seconds}${fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`}+00:00`;
}

for (const type of ['S3', 'File'] as const) {
  describe(type, () => {
    const lines = [
      { compression: null, suffix: '', unpack: (bytes: Buffer) => bytes },
      { compression: 'gzip', suffix: '.gz', unpack: gunzipSync },
      { compression: 'brotli', suffix: '.br', unpack: brotliDecompressSync },
    ];
    // What a store does not change need not be tried on both.
    for (const { compression, suffix, unpack } of type === 'S3' ? lines : lines.slice(1, 2)) {
      test(`JSON lines, ${compression ?? 'not'} compressed, hold every value as it was sent`, async () => {
        const store = stores[type]();
        const prefix = `lines/${compression}`;
        const { shipped } = await ship(type, HOSTILE, { ...store.config, prefix, compression });
        const bytes = await store.read(`${prefix}/${BASE}.jsonl${suffix}`);
        const text = unpack(bytes).toString();

        assert.equal(text.at(-1), '\n');
        const found = text.slice(0, -1).split('\n');
        assert.equal(found.length, hostileRows.length);
        assert.deepEqual(shipped, { records: hostileRows.length, bytes: bytes.length });
        for (const line of found) {
          const { properties, person_properties, ...rest } = JSON.parse(line);
          const sent = sentOf(rest.uuid);
          assert.deepEqual(rest, expected.get(rest.uuid));
          assert.deepEqual(properties, JSON.parse(textOf(sent)));
          assert.deepEqual(person_properties, JSON.parse(String(sent.person_properties)));
          // Numbers that JavaScript would round are still there, digit by digit.
          assert.ok(line.includes(textOf(sent).replaceAll(/[\r\n]/g, ' ')));
        }
      });
    }

    const parquets = [
      ...[null, 'zstd', 'lz4', 'snappy', 'gzip', 'brotli'].map((compression) => ({
        compression,
        suffix: { zstd: '.zst', lz4: '.lz4', snappy: '.sz', gzip: '.gz', brotli: '.br' }[compression ?? ''] ?? '',
      })),
    ];
    for (const { compression, suffix } of type === 'S3' ? parquets : parquets.slice(1, 2)) {
      test(`Parquet, ${compression ?? 'not'} compressed, holds every value as it was sent`, async () => {
        const store = stores[type]();
        const config = { ...store.config, prefix: 'parquet', compression, file_format: 'Parquet' };
        await ship(type, HOSTILE, config);
        const bytes = await store.read(`parquet/${BASE}.parquet${suffix}`);
        const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;

        const rows = await parquetReadObjects({ file, compressors });
        assert.equal(rows.length, hostileRows.length);
        for (const row of rows) {
          const { properties, person_properties, timestamp, created_at, _inserted_at, ...rest } = row;
          const sent = sentOf(String(row.uuid));
          const { timestamp: _t, created_at: _c, _inserted_at: _i, ...texts } = expected.get(sent.uuid)!;
          assert.deepEqual(rest, texts);
          assert.equal(properties, textOf(sent));
          assert.equal(person_properties, sent.person_properties);
          assert.equal((timestamp as Date).getTime(), Math.floor(sent.timestamp / 1_000));
          assert.equal((created_at as Date).getTime(), Math.floor(sent.created_at / 1_000));
          assert.equal((_inserted_at as Date).getTime(), Math.floor(sent.inserted_at / 1_000));
        }
        const columns = parquetSchema(parquetMetadata(file)).children;
        const timestampType = columns.find(({ element }) => element.name === 'timestamp')?.element.logical_type;
        assert.deepEqual(timestampType, { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' });
      });
    }

    for (const file_format of ['JSONLines', 'Parquet']) {
      test(`${file_format} are split, named by a manifest, and read back whole`, async () => {
        const store = stores[type]();
        const config = { ...store.config, prefix: `split/${file_format}`, file_format, max_file_size_mb: 1 };
        const { shipment, shipped } = await ship(type, MANY, config);

        const keys = (await store.keys()).filter((key) => key.startsWith(`split/${file_format}/`));
        const manifest = JSON.parse((await store.read(`split/${file_format}/${BASE}_manifest.json`)).toString());
        const files = keys.filter((key) => !key.endsWith('_manifest.json'));
        assert.deepEqual(manifest.files.toSorted(), files);
        if (file_format === 'JSONLines') assert.ok(files.length > 1, `only ${files.length} file`);
        for (const key of files) assert.ok((await store.read(key)).length < 1.1 * 1024 * 1024);
        assert.equal(shipped.records, manyRows.length);
        const found = await Array.fromAsync((await destinations[type]?.found?.(shipment, async () => nothing)) ?? []);
        assert.deepEqual(found.sort(), manyRows.map(({ uuid }) => uuid).sort());
      });
    }

    test('a repetition with fewer files leaves none of the old ones', async () => {
      const store = stores[type]();
      const config = { ...store.config, prefix: 'again', max_file_size_mb: 1 };
      await ship(type, MANY, config);
      const first = (await store.keys()).filter((key) => key.startsWith('again/'));
      await ship(type, MANY, { ...config, max_file_size_mb: 500 });
      const second = (await store.keys()).filter((key) => key.startsWith('again/'));

      assert.ok(first.length > 2);
      assert.deepEqual(second, [`again/${BASE}-0.jsonl`, `again/${BASE}_manifest.json`]);
    });
  });
}

test('a disk that is full is told in words and keeps nothing; the next run is fine', async (t) => {
  await using place = await openTempFolder();
  const resize = (options: string, ...where: string[]) =>
    execFileSync('mount', ['-o', options, ...where, place.path], { stdio: 'ignore' });
  try {
    resize('size=256k', '-t', 'tmpfs', 'tmpfs');
  } catch {
    return t.skip('a file system of our own cannot be mounted here');
  }
  try {
    const tiny = fileDestination(place.path);
    const config = withDefaults(tiny, { prefix: 'rows' });
    const shipping = async () => tiny.ship(await source.shipment({ teamId: MANY, config }));
    await assertTold(shipping(), { kind: 'DiskFull', final: false, text: /full \(ENOSPC\)/ });
    assert.deepEqual(await readdir(join(place.path, 'rows')), []);

    resize('remount,size=64m');
    assert.equal((await shipping()).records, manyRows.length);
    assert.deepEqual(await readdir(join(place.path, 'rows')), [`${BASE}.jsonl`]);
  } finally {
    execFileSync('umount', [place.path]);
  }
});
