// Snowflake's own client, made to answer with promises.
import { createPrivateKey } from 'node:crypto';
import type { Connection, ConnectionOptions } from 'snowflake-sdk';
import { DestinationError } from '../destination.ts';

export interface SnowflakeAccess {
  readonly account: string;
  readonly user: string;
  readonly database: string;
  readonly warehouse: string;
  readonly schema: string;
  readonly role: string | null;
  readonly authentication_type: 'password' | 'keypair';
  readonly password: string | null;
  readonly private_key: string | null;
  readonly private_key_passphrase: string | null;
}

/** A server that stands in for Snowflake's. */
export type StandIn = Pick<ConnectionOptions, 'accessUrl'>;

export interface Session {
  execute<Row = unknown>(sql: string, binds?: readonly (string | number)[]): Promise<Row[]>;
}

export interface OpenSession extends Session, AsyncDisposable {}

/** A session of its own, and when it ends, so does every temporary table. */
export async function openSession(
  access: SnowflakeAccess,
  signal: AbortSignal,
  standIn: StandIn | undefined,
): Promise<OpenSession> {
  const connection = await openConnection(access, standIn);
  return {
    execute: (sql, binds) => execute(connection, sql, binds, signal),
    [Symbol.asyncDispose]: () => new Promise<void>((done) => connection.destroy(() => done())),
  };
}

async function openConnection(access: SnowflakeAccess, standIn: StandIn | undefined): Promise<Connection> {
  const { default: snowflake } = await import('snowflake-sdk');
  // It would write a file of its own into the folder that the program was started in.
  const silent = () => {};
  snowflake.configure({ customLogger: { error: silent, warn: silent, info: silent, debug: silent, trace: silent } });
  const { account, user: username, database, warehouse, schema, role } = access;
  const connection = snowflake.createConnection({
    ...{ account, username, database, warehouse, schema, application: 'tenrec' },
    ...(role && { role }),
    ...credentialsOf(access),
    ...standIn,
  });
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  return connection;
}

function credentialsOf(access: SnowflakeAccess): Pick<ConnectionOptions, 'password' | 'authenticator' | 'privateKey'> {
  if (access.authentication_type === 'password') return { password: access.password ?? '' };
  return { authenticator: 'SNOWFLAKE_JWT', privateKey: readPrivateKey(access) };
}

/** The client takes keys without a passphrase only, and in one form only. */
function readPrivateKey({ private_key, private_key_passphrase }: SnowflakeAccess): string {
  try {
    const key = (private_key ?? '').replaceAll('\\n', '\n');
    const options = {
      key,
      format: 'pem' as const,
      ...(private_key_passphrase && { passphrase: private_key_passphrase }),
    };
    return createPrivateKey(options).export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch (cause) {
    const text = 'The private key cannot be read. Check `private_key` and `private_key_passphrase`';
    throw new DestinationError('InvalidPrivateKey', text, { final: true, cause });
  }
}

function execute<Row>(
  connection: Connection,
  sqlText: string,
  binds: readonly (string | number)[] = [],
  signal: AbortSignal,
): Promise<Row[]> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const cancel = () => {
      statement.cancel(() => {});
      reject(signal.reason);
    };
    const statement = connection.execute({
      sqlText,
      ...(binds.length > 0 && { binds: [...binds] }),
      complete: (error, _, rows) => {
        signal.removeEventListener('abort', cancel);
        if (error) reject(error);
        else resolve((rows ?? []) as Row[]);
      },
    });
    signal.addEventListener('abort', cancel);
  });
}
