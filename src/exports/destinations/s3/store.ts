// A bucket as a place for files.
import type { Readable } from 'node:stream';
import type { FileStore, PendingFile } from '../files/store.ts';
import type { Bucket } from './bucket.ts';
import { toS3Error } from './errors.ts';
import { startUpload } from './upload.ts';

export async function openBucket(bucket: Bucket, endpoint: string): Promise<FileStore> {
  const sdk = await import('@aws-sdk/client-s3');
  const { client, name: Bucket } = bucket;
  const options = { abortSignal: bucket.signal };
  const mapped = mapErrors(endpoint);
  return {
    create: (key) => mapFile(startUpload(sdk, bucket, key), mapped),
    list: mapped(async (Prefix) => {
      const keys: string[] = [];
      try {
        for await (const page of sdk.paginateListObjectsV2({ client }, { Bucket, Prefix }, options)) {
          for (const { Key } of page.Contents ?? []) if (Key) keys.push(Key);
        }
      } catch (error) {
        // To export, a key must be able to write, and need not be able to look.
        if (isDenied(error)) return undefined;
        throw error;
      }
      return keys;
    }),
    remove: mapped(async (Key) => {
      await client.send(new sdk.DeleteObjectCommand({ Bucket, Key }), options);
    }),
    size: mapped(async (Key) => {
      const { ContentLength } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }), options);
      return ContentLength ?? 0;
    }),
    read: mapped(async (Key, from, to) => {
      const Range = from === undefined ? undefined : `bytes=${from}-${to === undefined ? '' : to - 1}`;
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket, Key, Range }), options);
      return Body as Readable;
    }),
    close: () => client.destroy(),
  };
}

const isDenied = (error: unknown): boolean =>
  error instanceof Error && ['AccessDenied', 'Forbidden', 'NotImplemented'].includes(error.name);

type Mapped = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => (...args: A) => Promise<R>;

const mapErrors =
  (endpoint: string): Mapped =>
  (call) =>
  async (...args) => {
    try {
      return await call(...args);
    } catch (error) {
      throw toS3Error(error, endpoint);
    }
  };

const mapFile = ({ key, write, publish, discard }: PendingFile, mapped: Mapped): PendingFile => ({
  ...{ key, discard },
  write: mapped(write),
  publish: mapped(publish),
});
