import type { S3Client } from '@aws-sdk/client-s3';
import type { NetworkGuard } from '../../network/guard.ts';
import { DestinationError } from '../destination.ts';

export interface S3Access {
  readonly region: string;
  readonly endpoint_url: string | null;
  readonly aws_access_key_id: string | null;
  readonly aws_secret_access_key: string | null;
  readonly use_virtual_style_addressing: boolean;
}

const CONNECT_MS = 10_000;
/** Without a byte in either direction for this long, a request is given up, and tried again. */
const SILENCE_MS = 60_000;

/** A client of the store, and what to call the store in messages. */
export async function openClient(
  access: S3Access,
  guard: NetworkGuard,
): Promise<{ client: S3Client; endpoint: string }> {
  const { aws_access_key_id: accessKeyId, aws_secret_access_key: secretAccessKey } = access;
  // Without this, the SDK would look for credentials of the machine it runs on, which are the operator's.
  if (!accessKeyId || !secretAccessKey) {
    const text = 'No credentials were given. Set `aws_access_key_id` and `aws_secret_access_key`';
    throw new DestinationError('NoCredentials', text, { final: true });
  }
  const { S3Client } = await import('@aws-sdk/client-s3');
  const endpoint = access.endpoint_url || undefined;
  if (endpoint) guard.checkUrl(endpoint, ['https:', 'http:']);
  const { http, https } = guard.httpAgents({ maxSockets: 16 });
  const client = new S3Client({
    region: access.region,
    credentials: { accessKeyId, secretAccessKey },
    ...(endpoint && {
      endpoint,
      // Stores that are not Amazon's own rarely know the newer checksums.
      ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
      forcePathStyle: !access.use_virtual_style_addressing,
    }),
    maxAttempts: 5,
    requestHandler: {
      ...{ httpAgent: http, httpsAgent: https },
      ...{ connectionTimeout: CONNECT_MS, requestTimeout: SILENCE_MS, throwOnRequestTimeout: true },
    },
  });
  return { client, endpoint: endpoint ?? `S3 in ${access.region}` };
}
