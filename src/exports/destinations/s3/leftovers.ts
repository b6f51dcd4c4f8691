import type * as Sdk from '@aws-sdk/client-s3';
import type { Bucket } from './bucket.ts';

/** No run takes that long, so nobody is still working on an upload that is older. */
const UPLOAD_MS_MAX = 7 * 24 * 3_600_000;

/**
 * Gives up uploads of the same file that a killed run left behind: nobody sees them, but they are paid for. Whoever may
 * not look for them, or not remove them, exports all the same.
 */
export async function giveUpLeftovers(sdk: typeof Sdk, bucket: Bucket, key: string): Promise<void> {
  const { client, name: Bucket, signal } = bucket;
  try {
    const command = new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: key });
    const { Uploads = [] } = await client.send(command, { abortSignal: signal });
    for (const { Key, UploadId, Initiated } of Uploads) {
      if (Key !== key || !Initiated || Date.now() - Initiated.getTime() < UPLOAD_MS_MAX) continue;
      await client.send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal: signal });
    }
  } catch {
    signal.throwIfAborted();
  }
}
