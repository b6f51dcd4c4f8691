// A PostgreSQL as somebody else would run it: over TCP, with passwords, with or without TLS, on a line that can be cut.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { Client } from 'pg';
import { pino } from 'pino';
import { openEmbeddedPostgres } from '../../src/metadata/embedded/open.ts';
import { openTestDatabase } from '../db.ts';
import { forward, type Line, listen } from './line.ts';

export interface Warehouse extends AsyncDisposable, Line {
  /** What a configuration needs to reach it; the user owns everything. */
  readonly access: Readonly<Record<string, unknown>>;
  query<Row extends object>(sql: string, values?: unknown[]): Promise<Row[]>;
}

export interface PostgresServer extends Warehouse {
  /** With a certificate that nobody vouches for. */
  readonly tlsAccess: Readonly<Record<string, unknown>>;
}

export const OWNER = { user: 'warehouse', password: 'warehouse password', database: 'warehouse' };
const SSL_REQUEST = 80877103;

const accessAt = (server: Server, owner: { user: string; password: string; database: string }) => ({
  ...owner,
  ...{ host: 'localhost', port: (server.address() as AddressInfo).port, schema: 'public', table_name: 'events' },
  has_self_signed_cert: false,
});

/** An empty database on the server that all tests share, which is there already; it lets in whoever comes. */
export async function openWarehouse(): Promise<Warehouse> {
  const { url, close } = await openTestDatabase();
  const owner = new Client(url);
  await owner.connect();
  await owner.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const { user = '', password, database = '', host, port } = owner;
  const line: Line = { cutAfterBytes: undefined };
  const openLine = () => (host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host));
  const plain = await listen((socket) => forward(socket, openLine(), line));
  return Object.assign(line, {
    access: accessAt(plain.server, { user, password: password || 'any', database }),
    query: async <Row extends object>(sql: string, values?: unknown[]) => (await owner.query<Row>(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.close(), owner.end()]);
      await close();
    },
  });
}

/** A server of its own, which knows passwords and roles. */
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
  const line: Line = { cutAfterBytes: undefined };
  const openLine = () => connect(join(socketFolder, '.s.PGSQL.5432'));
  const plain = await listen((socket) => forward(socket, openLine(), line));
  const encrypted = await listen((socket) => acceptTls(socket, (secure) => forward(secure, openLine(), line)));
  return Object.assign(line, {
    access: accessAt(plain.server, OWNER),
    tlsAccess: accessAt(encrypted.server, OWNER),
    query: async <Row extends object>(sql: string, values?: unknown[]) => (await owner.query<Row>(sql, values)).rows,
    async [Symbol.asyncDispose]() {
      await Promise.all([plain.close(), encrypted.close(), owner.end(), admin.end()]);
      await postgres.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
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
