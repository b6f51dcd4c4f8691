// A PostgreSQL as somebody else would run it: over TCP, with passwords, with or without TLS, on a line that can be cut.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { pino } from 'pino';
import { openEmbeddedPostgres } from '../../src/metadata/embedded/open.ts';

export interface PostgresServer extends AsyncDisposable {
  /** What a configuration needs to reach it; the user owns everything. */
  readonly access: Readonly<Record<string, unknown>>;
  /** The same, with a certificate that nobody vouches for. */
  readonly tlsAccess: Readonly<Record<string, unknown>>;
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
  /** When set, each connection is cut after this many bytes from the client. */
  cutAfterBytes: number | undefined;
}

export const OWNER = { user: 'warehouse', password: 'warehouse password', database: 'warehouse' };
const SSL_REQUEST = 80877103;

export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tenrec-warehouse-'));
  const hba_file = join(folder, 'access.conf');
  await chmod(folder, 0o755);
  await writeFile(hba_file, 'local all postgres trust\nlocal all tenrec trust\nlocal all all scram-sha-256\n');
  const settings = { fsync: 'off', hba_file };
  const postgres = await openEmbeddedPostgres(folder, pino({ level: 'silent' }), { settings });
  const socketFolder = new URL(postgres.url).searchParams.get('host') ?? '';
  const admin = new Client({ user: 'postgres', database: 'postgres', host: socketFolder });
  await admin.connect();
  await admin.query(`CREATE ROLE ${OWNER.user} LOGIN SUPERUSER PASSWORD '${OWNER.password}'`);
  await admin.query(`CREATE DATABASE ${OWNER.database} OWNER ${OWNER.user}`);
  await admin.query('CREATE ROLE reader LOGIN PASSWORD $$reader$$');
  await admin.query('CREATE ROLE writer LOGIN PASSWORD $$writer$$');
  const owner = new Client({ ...OWNER, host: socketFolder });
  await owner.connect();
  const line = { cutAfterBytes: undefined as number | undefined };
  const openLine = () => connect(join(socketFolder, '.s.PGSQL.5432'));
  const plain = await listen((socket) => forward(socket, openLine(), line));
  const encrypted = await listen((socket) => acceptTls(socket, (secure) => forward(secure, openLine(), line)));
  const accessAt = (server: Server) => ({
    ...OWNER,
    ...{ host: 'localhost', port: (server.address() as AddressInfo).port, schema: 'public', table_name: 'events' },
    has_self_signed_cert: false,
  });
  return Object.assign(line, {
    access: accessAt(plain.server),
    tlsAccess: accessAt(encrypted.server),
    query: async <Row extends object>(sql: string, values?: unknown[]) => (await owner.query<Row>(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.close(), encrypted.close(), owner.end(), admin.end()]);
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}

async function listen(onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    onSocket(socket);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
  return { server, close };
}

function forward(near: Socket | TLSSocket, far: Socket, line: { cutAfterBytes: number | undefined }): void {
  let sent = 0;
  near.on('data', (chunk) => {
    sent += chunk.length;
    if (line.cutAfterBytes !== undefined && sent > line.cutAfterBytes) {
      near.destroy();
      far.destroy();
    }
  });
  near.on('error', () => far.destroy());
  far.on('error', () => near.destroy());
  near.on('close', () => far.destroy());
  far.on('close', () => near.destroy());
  near.pipe(far).pipe(near);
}

/** Says yes to the client's question for TLS, which is the first thing it sends. */
function acceptTls(socket: Socket, onSecure: (secure: TLSSocket) => void): void {
  socket.once('data', (request: Buffer) => {
    if (request.readInt32BE(4) !== SSL_REQUEST) return socket.destroy();
    socket.write('S');
    const file = (name: string) => readFileSync(new URL(`certificate/localhost.${name}.pem`, import.meta.url));
    onSecure(new TLSSocket(socket, { isServer: true, cert: file('cert'), key: file('key') }));
  });
}
