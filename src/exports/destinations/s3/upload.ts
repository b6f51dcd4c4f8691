// One file on its way into a bucket, in parts that nobody sees until the upload is completed.
import type * as Sdk from '@aws-sdk/client-s3';
import type { PendingFile } from '../files/store.ts';
import type { Bucket } from './bucket.ts';
import { giveUpLeftovers } from './leftovers.ts';

const MIB = 1024 * 1024;
/**
 * The protocol allows 10,000 parts, of 5 MiB at least; they grow, so that a file may have 268 GiB while a small one needs
 * little memory.
 */
const partBytes = (number: number): number => 5 * MIB * (1 + Math.floor(number / 1_000));
const PARTS_AT_ONCE = 4;
/** How long is waited for an upload to be given up; the run it belonged to is over. */
const DISCARD_MS = 10_000;

export function startUpload(sdk: typeof Sdk, bucket: Bucket, key: string): PendingFile {
  const { client, encryption } = bucket;
  const target = { Bucket: bucket.name, Key: key };
  const options = { abortSignal: bucket.signal };
  const parts: Sdk.CompletedPart[] = [];
  let uploadId: string | undefined;
  /** A file of one part is kept, and sent whole when it is published. */
  let whole: Buffer | undefined;

  const begin = async (): Promise<string> => {
    await giveUpLeftovers(sdk, bucket, key);
    const begun = await client.send(new sdk.CreateMultipartUploadCommand({ ...target, ...encryption }), options);
    if (!begun.UploadId) throw new TypeError('Unexpected answer: an upload without id');
    return begun.UploadId;
  };

  const sendPart = async (PartNumber: number, Body: Buffer): Promise<number> => {
    const command = new sdk.UploadPartCommand({ ...target, UploadId: uploadId, PartNumber, Body });
    const { ETag } = await client.send(command, options);
    parts.push({ PartNumber, ETag });
    return Body.length;
  };

  return {
    key,
    async write(content, progress) {
      const sending = new Set<Promise<void>>();
      const buffers = new PartBuffers();
      const failures: unknown[] = [];
      let [number, safe] = [0, 0];
      try {
        for await (const { bytes, isLast } of partsOf(content, buffers)) {
          bucket.signal.throwIfAborted();
          if (isLast && number === 0) {
            whole = bytes;
            return progress(bytes.length);
          }
          uploadId ??= await begin();
          number += 1;
          const sent: Promise<void> = sendPart(number, bytes)
            .then(
              (length) => {
                safe += length;
                buffers.giveBack(bytes);
                progress(safe);
              },
              (error) => void failures.push(error),
            )
            .finally(() => sending.delete(sent));
          sending.add(sent);
          if (sending.size >= PARTS_AT_ONCE) await Promise.race(sending);
          if (failures.length > 0) break;
        }
      } finally {
        // An upload can only be given up when no part of it is still on its way.
        await Promise.all(sending);
      }
      if (failures.length > 0) throw failures[0];
    },
    async publish() {
      if (!uploadId) {
        await client.send(new sdk.PutObjectCommand({ ...target, ...encryption, Body: whole }), options);
        return;
      }
      const Parts = parts.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
      const upload = { ...target, UploadId: uploadId, MultipartUpload: { Parts } };
      await client.send(new sdk.CompleteMultipartUploadCommand(upload), options);
      uploadId = undefined;
    },
    async discard() {
      if (!uploadId) return;
      const command = new sdk.AbortMultipartUploadCommand({ ...target, UploadId: uploadId });
      await client.send(command, { abortSignal: AbortSignal.timeout(DISCARD_MS) }).catch(() => {});
    },
  };
}

/** The content in pieces of the size that parts have; only the last is smaller. Empty content is one empty piece. */
async function* partsOf(
  content: AsyncIterable<Uint8Array>,
  buffers: PartBuffers,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let number = 0;
  let length = 0;
  let part = buffers.take(partBytes(number));
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      if (length === part.length) {
        yield { bytes: part, isLast: false };
        number += 1;
        length = 0;
        part = buffers.take(partBytes(number));
      }
      const end = Math.min(chunk.length, at + part.length - length);
      part.set(chunk.subarray(at, end), length);
      length += end - at;
      at = end;
    }
  }
  yield { bytes: part.subarray(0, length), isLast: true };
}

/** Buffers that are filled again once they were sent: new ones for every part would pile up until they are collected. */
class PartBuffers {
  readonly #free: Buffer[] = [];

  take(bytes: number): Buffer {
    const free = this.#free.pop();
    return free?.length === bytes ? free : Buffer.allocUnsafeSlow(bytes);
  }

  giveBack(part: Buffer): void {
    this.#free.push(part);
  }
}
