import { DestinationError } from '../destination.ts';

/** What the store of files answered, in words. Only a person can mend these. */
const FINAL: Readonly<Record<string, string>> = {
  NoSuchBucket: 'There is no bucket with this name. Check `bucket_name` and `region`',
  NotFound: 'There is no bucket with this name. Check `bucket_name` and `region`',
  InvalidBucketName: 'This is not the name of a bucket',
  AccessDenied: 'The key may not do this in the bucket; it needs s3:PutObject and s3:AbortMultipartUpload',
  Forbidden: 'The key may not use the bucket',
  AllAccessDisabled: 'All access to the bucket was disabled',
  InvalidAccessKeyId: 'There is no such access key. Check `aws_access_key_id`',
  SignatureDoesNotMatch: 'The secret does not belong to the access key. Check `aws_secret_access_key`',
  InvalidToken: 'The credentials are not valid',
  ExpiredToken: 'The credentials are no longer valid',
  CredentialsProviderError: 'No credentials were given. Set `aws_access_key_id` and `aws_secret_access_key`',
  AuthorizationHeaderMalformed: 'The bucket is in another region. Check `region`',
  PermanentRedirect: 'The bucket is at another address. Check `region` and `endpoint_url`',
  InvalidRequest: 'The store refused the request',
  InvalidArgument: 'The store refused the request',
  MethodNotAllowed: 'The store does not allow this',
  KeyTooLongError: 'The key of the file is too long. Shorten `prefix`',
  EntityTooLarge: 'A file is larger than the store takes. Set a smaller `max_file_size_mb`',
  'KMS.NotFoundException': 'There is no such encryption key. Check `kms_key_id`',
  'KMS.DisabledException': 'The encryption key is disabled',
  KMSInvalidStateException: 'The encryption key cannot be used',
  InvalidEncryptionAlgorithmError: 'The store does not know this encryption. Check `encryption`',
  NotImplemented: 'The store does not know how to do this',
  ParamValidationError: 'A value cannot be sent to the store',
};

/** Answers by status, where the store gave no name: a bare HEAD has no body to say more. */
const BY_STATUS: Readonly<Record<number, string>> = { 403: 'Forbidden', 404: 'NotFound', 301: 'PermanentRedirect' };

const LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'EPROTO']);

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
  readonly $fault?: 'client' | 'server';
  readonly code?: string;
}

/** Not the store's errors pass through: the event store failed, or the run was cancelled. */
export function toS3Error(error: unknown, endpoint: string): unknown {
  if (!(error instanceof Error) || error instanceof DestinationError) return error;
  if (error.cause instanceof DestinationError) return error.cause;
  const { name, message, code = '', $metadata, $fault } = error as ServiceError;
  const status = $metadata?.httpStatusCode;
  const known = FINAL[name] ? name : FINAL[code] ? code : (BY_STATUS[status ?? 0] ?? '');
  if (FINAL[known]) {
    const said = message && message !== 'UnknownError' && message !== known ? `. It said: ${message}` : '';
    return new DestinationError(known, `${FINAL[known]}${said}`, { final: true, cause: error });
  }
  if (LOST.has(code) || name === 'TimeoutError') {
    const text = `The connection to ${endpoint} failed: ${message || code}`;
    return new DestinationError('EndpointConnectionError', text, { final: false, cause: error });
  }
  if (status === undefined && !$fault) return unreadable(error, endpoint);
  // Whatever a client did wrong that is not in the list, it would do wrong again.
  const final = $fault === 'client' && status !== undefined && status < 500 && ![408, 429].includes(status);
  return new DestinationError(name || 'S3Error', `The store answered ${status ?? 'nothing'}: ${message}`, {
    final: final && name !== 'RequestTimeout' && name !== 'SlowDown' && name !== 'NoSuchUpload',
    cause: error,
  });
}

/** Something answers there, but not in the language of S3. */
function unreadable(error: Error, endpoint: string): unknown {
  const isParsing = '$response' in error || /char '|Deserialization|Unexpected|parse/i.test(error.message);
  if (!isParsing) return error;
  const text = `What answers at ${endpoint} does not speak the protocol of S3. Check \`endpoint_url\`.`;
  return new DestinationError('InvalidResponse', text, { final: false, cause: error });
}
