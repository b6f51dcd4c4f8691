import type * as Sdk from '@aws-sdk/client-s3';

/** A bucket, and how files are put into it. */
export interface Bucket {
  readonly client: Sdk.S3Client;
  readonly name: string;
  /** Headers of every file that is begun. */
  readonly encryption: Pick<Sdk.PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  readonly signal: AbortSignal;
}
