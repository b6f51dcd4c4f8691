import type { Readable } from 'node:stream';

/** Where files are kept: a bucket, or a folder. */
export interface FileStore {
  /** Begins a file that nobody sees until it is published. */
  create(key: string): PendingFile;
  /** The keys that begin like this; undefined when we may not look. */
  list(prefix: string): Promise<string[] | undefined>;
  /** Removes a file. Whether it was there makes no difference. */
  remove(key: string): Promise<void>;
  size(key: string): Promise<number>;
  /** The bytes from `from` up to, not including, `to`. */
  read(key: string, from?: number, to?: number): Promise<Readable>;
  close(): void;
}

export interface PendingFile {
  readonly key: string;
  /** Takes the whole content, once; reports how many bytes are safe so far. */
  write(content: AsyncIterable<Uint8Array>, progress: (bytes: number) => void): Promise<void>;
  /** Makes it visible under its key, in place of whatever is there. */
  publish(): Promise<void>;
  /** Leaves nothing of it behind. Does not fail: what cannot be removed was never visible. */
  discard(): Promise<void>;
}
