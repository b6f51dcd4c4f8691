// An S3-compatible server on loopback.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** What a configuration needs to reach it. */
  readonly access: Readonly<Record<string, unknown>>;
  keys(prefix?: string): Promise<string[]>;
  read(key: string): Promise<Buffer>;
  /** How many uploads were begun and neither completed nor given up. */
  unfinished(): Promise<number>;
  /** Called for every request; what it answers with, the client gets instead of what the server would say. */
  intercept: ((method: string, url: string, headers: IncomingHttpHeaders) => Interception | undefined) | undefined;
}

export type Interception = { status: number; body: string } | 'cut';

export const BUCKET = 'lake';
/** The only credentials that the server knows. */
const CREDENTIALS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };

/** @param isStrict whether signatures are judged; those of requests about a bucket as a whole are misjudged */
export async function startS3Server({ isStrict = false } = {}): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'tenrec-s3-'));
  const server = new S3rver({
    ...{ address: '127.0.0.1', port: 0, silent: true, directory, allowMismatchedSignatures: !isStrict },
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  const uploads = () => server.store.getResourcePath(BUCKET, undefined, 'uploads');
  let running: S3Server | undefined;
  server.middleware.unshift(async (context, next) => {
    const { method = '', url = '' } = context.req;
    const instead = running?.intercept?.(method, url, context.req.headers);
    if (instead === 'cut') {
      context.req.socket.destroy();
      return;
    }
    if (instead) {
      Object.assign(context, { status: instead.status, body: instead.body, type: 'application/xml' });
      return;
    }
    // The server knows every request that an upload takes, except giving it up.
    if (method === 'DELETE' && context.query.uploadId) {
      await rm(join(uploads(), context.query.uploadId), { recursive: true });
      context.status = 204;
      return;
    }
    await next();
  });
  const { port } = await server.run();
  const url = `http://127.0.0.1:${port}`;
  const client = new S3Client({ region: 'us-east-1', endpoint: url, forcePathStyle: true, credentials: CREDENTIALS });
  running = {
    url,
    access: {
      ...{ bucket_name: BUCKET, region: 'us-east-1', endpoint_url: url, use_virtual_style_addressing: false },
      ...{ aws_access_key_id: CREDENTIALS.accessKeyId, aws_secret_access_key: CREDENTIALS.secretAccessKey },
    },
    intercept: undefined,
    async keys(Prefix) {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix }));
      return Contents.map(({ Key = '' }) => Key).sort();
    },
    async read(Key) {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: BUCKET, Key }));
      return Buffer.from((await Body?.transformToByteArray()) ?? []);
    },
    unfinished: async () => (await readdir(uploads()).catch(() => [])).length,
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
  return running;
}
