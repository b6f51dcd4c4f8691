// A folder as a place for files: written under another name, made durable, then renamed.
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { DestinationError } from '../destination.ts';
import type { FileStore, PendingFile } from '../files/store.ts';
import { toFileError } from './errors.ts';

/** What a killed run left unfinished is cleared away by a later one, when no run can still be writing it. */
const UNFINISHED_MS_MAX = 24 * 3_600_000;
const UNFINISHED = '.unfinished';

export function openFolder(root: string, signal: AbortSignal): FileStore {
  const pathOf = (key: string): string => {
    const path = resolve(root, key);
    if (relative(root, path).split(sep)[0] === '..') {
      throw new DestinationError('InvalidPrefix', 'The prefix leads out of the folder for exported files.', {
        final: true,
      });
    }
    return path;
  };
  return {
    create: (key) => pendingFile(key, pathOf(key), signal),
    list: mapped(async (prefix: string) => {
      const path = pathOf(prefix);
      const names = await readdir(dirname(path)).catch(missing<string[]>([]));
      return names
        .filter((name) => name.startsWith(basename(path)))
        .map((name) => `${prefix.slice(0, prefix.length - basename(path).length)}${name}`);
    }),
    remove: mapped(async (key: string) => {
      await rm(pathOf(key), { force: true });
      await syncFolder(dirname(pathOf(key))).catch(missing(undefined));
    }),
    size: mapped(async (key: string) => (await stat(pathOf(key))).size),
    read: mapped(async (key: string, from?: number, to?: number): Promise<Readable> => {
      return createReadStream(pathOf(key), { start: from, end: to === undefined ? undefined : to - 1 });
    }),
    close: () => {},
  };
}

function pendingFile(key: string, path: string, signal: AbortSignal): PendingFile {
  const aside = join(dirname(path), `.${basename(path)}.${randomUUID()}${UNFINISHED}`);
  return {
    key,
    write: mapped(async (content: AsyncIterable<Uint8Array>, progress: (bytes: number) => void) => {
      await mkdir(dirname(path), { recursive: true });
      await clearUnfinished(path);
      const file = await open(aside, 'wx');
      try {
        let bytes = 0;
        for await (const chunk of content) {
          signal.throwIfAborted();
          await file.writeFile(chunk);
          bytes += chunk.length;
          progress(bytes);
        }
        await file.sync();
      } finally {
        await file.close();
      }
    }),
    publish: mapped(async () => {
      await rename(aside, path);
      await syncFolder(dirname(path));
    }),
    discard: () => rm(aside, { force: true }).catch(() => {}),
  };
}

async function clearUnfinished(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`.${basename(path)}.`) || !name.endsWith(UNFINISHED)) continue;
    const found = await stat(join(folder, name)).catch(missing(undefined));
    if (found && Date.now() - found.mtimeMs > UNFINISHED_MS_MAX) await rm(join(folder, name), { force: true });
  }
}

/** A new name is only durable once its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  await folder.sync().finally(() => folder.close());
}

function missing<T>(instead: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
}

function mapped<A extends unknown[], R>(call: (...args: A) => Promise<R>): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw toFileError(error);
    }
  };
}
