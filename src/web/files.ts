// The files of a build, held in memory: a few megabytes that are asked for over and over.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { SERVER_FOLDER } from './layout.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

const SUFFIXES = { br: '.br', gzip: '.gz' } as const;
type Encoding = keyof typeof SUFFIXES;

export interface WebFile {
  type: string;
  bytes: Buffer;
  encoded: Partial<Record<Encoding, Buffer>>;
}

export type WebFiles = ReadonlyMap<string, WebFile>;

/** Every file that is served, by its path below the folder, with slashes. */
export function readFiles(folder: string): WebFiles {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll(sep, '/'))
    .filter((name) => !name.startsWith(`${SERVER_FOLDER}/`));
  const read = (name: string) => readFileSync(join(folder, name));
  const isEncoded = (name: string) => Object.values(SUFFIXES).some((suffix) => name.endsWith(suffix));
  return new Map(
    names
      .filter((name) => !isEncoded(name))
      .map((name) => {
        const encodings = (Object.keys(SUFFIXES) as Encoding[]).filter((each) => names.includes(name + SUFFIXES[each]));
        const encoded = Object.fromEntries(encodings.map((each) => [each, read(name + SUFFIXES[each])]));
        return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', bytes: read(name), encoded }];
      }),
  );
}

/** The smallest form that the client understands. */
export function pickEncoding(file: WebFile, accepted: string): { bytes: Buffer; encoding?: Encoding } {
  const names = accepted.split(',').map((part) => part.trim().split(';', 1)[0]);
  for (const encoding of Object.keys(SUFFIXES) as Encoding[]) {
    const bytes = file.encoded[encoding];
    if (bytes && names.includes(encoding)) return { bytes, encoding };
  }
  return { bytes: file.bytes };
}
