// S3, and whatever speaks its protocol: R2, GCS with HMAC keys, MinIO.
import type { NetworkGuard } from '../../network/guard.ts';
import { type Config, ConfigMistake, type Destination, DestinationError, type Place } from '../destination.ts';
import { checkFormat } from '../files/format.ts';
import { findIds } from '../files/found.ts';
import { type FileConfig, namingOf, shipFiles } from '../files/ship.ts';
import type { FileStore } from '../files/store.ts';
import { openClient, type S3Access } from './client.ts';
import { toS3Error } from './errors.ts';
import { openBucket } from './store.ts';

interface S3Config extends FileConfig, S3Access {
  readonly bucket_name: string;
  readonly encryption: 'AES256' | 'aws:kms' | null;
  readonly kms_key_id: string | null;
}

export function s3Destination(guard: NetworkGuard): Destination {
  const open = async (config: S3Config, signal: AbortSignal): Promise<FileStore> => {
    const { client, endpoint } = await openClient(config, guard);
    const { encryption, kms_key_id } = config;
    const headers = encryption
      ? { ServerSideEncryption: encryption, ...(kms_key_id && { SSEKMSKeyId: kms_key_id }) }
      : {};
    return openBucket({ client, name: config.bucket_name, encryption: headers, signal }, endpoint);
  };

  return {
    type: 'S3',
    models: ['events', 'persons', 'sessions'],
    fields: {
      bucket_name: { type: 'str', required: true },
      region: { type: 'str', required: true },
      prefix: { type: 'str', required: true },
      aws_access_key_id: { type: 'str', fallback: null, secret: true },
      aws_secret_access_key: { type: 'str', fallback: null, secret: true },
      compression: { type: 'str', fallback: null },
      encryption: { type: 'str', fallback: null },
      kms_key_id: { type: 'str', fallback: null },
      endpoint_url: { type: 'str', fallback: null },
      file_format: { type: 'str', fallback: 'JSONLines' },
      max_file_size_mb: { type: 'int', fallback: null },
      use_virtual_style_addressing: { type: 'bool', fallback: false },
    },
    check,

    async ship(shipment) {
      const config = parse(shipment.config);
      const store = await open(config, shipment.signal);
      return shipFiles(store, shipment, config).finally(() => store.close());
    },

    tests: [
      {
        name: 'Check S3 bucket exists',
        description: 'Ensure the configured S3 bucket exists and that we have the required permissions to access it.',
        async run(config, signal) {
          const { client, endpoint } = await openClient(parse(config), guard);
          const { HeadBucketCommand } = await import('@aws-sdk/client-s3');
          const bucket = String(config.bucket_name);
          try {
            await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: signal });
          } catch (error) {
            throw bucketError(toS3Error(error, endpoint), bucket);
          } finally {
            client.destroy();
          }
        },
      },
    ],

    async found(place: Place) {
      const config = parse(place.config);
      const store = await open(config, place.signal);
      const ids = await findIds(store, namingOf(place, config));
      if (!ids) store.close();
      return ids && closing(ids, store);
    },
  };
}

const parse = (config: Config) => config as unknown as S3Config;

function check(config: Config): void {
  checkFormat(config);
  const empty = ['bucket_name', 'region'].filter((name) => String(config[name]).trim() === '');
  if (empty.length > 0) {
    throw new ConfigMistake(`The following inputs are empty: [${empty.map((name) => `'${name}'`).join(', ')}]`);
  }
  if (![null, 'AES256', 'aws:kms'].includes(config.encryption as string | null)) {
    throw new ConfigMistake(`Encryption ${config.encryption} is not supported. Supported are ['AES256', 'aws:kms']`);
  }
}

function bucketError(error: unknown, bucket: string): unknown {
  if (!(error instanceof DestinationError)) return error;
  if (error.kind === 'NotFound' || error.kind === 'NoSuchBucket') {
    return new DestinationError(
      error.kind,
      `Bucket '${bucket}' does not exist or we don't have permissions to use it`,
      error,
    );
  }
  if (error.kind === 'Forbidden' || error.kind === 'AccessDenied') {
    return new DestinationError(
      error.kind,
      `We couldn't access bucket '${bucket}'. Check the provided credentials and whether the necessary permissions to access the bucket have been granted`,
      error,
    );
  }
  return error;
}

async function* closing(ids: AsyncIterable<string>, store: FileStore): AsyncGenerator<string> {
  try {
    yield* ids;
  } finally {
    store.close();
  }
}
