// Snowflake, through its own client, which is loaded when it is first needed.
import { type Config, ConfigMistake, type Destination, DestinationError, type TestStep } from '../destination.ts';
import { openSession, type Session, type SnowflakeAccess, type StandIn } from './client.ts';
import { toSnowflakeError } from './errors.ts';
import { findRows } from './found.ts';
import { shipToSnowflake } from './ship.ts';
import type { SnowflakeTable } from './table.ts';

type SnowflakeConfig = SnowflakeAccess & SnowflakeTable;

export function snowflakeDestination(standIn?: StandIn): Destination {
  const inSession = async <T>(config: SnowflakeConfig, signal: AbortSignal, run: (session: Session) => Promise<T>) => {
    try {
      await using session = await openSession(config, signal, standIn);
      return await run(session);
    } catch (error) {
      throw toSnowflakeError(error);
    }
  };

  /** Shows whether something is there that the user may use. */
  const look = (what: string, field: keyof SnowflakeConfig): TestStep => ({
    name: `Verify Snowflake ${what}`,
    description: `Ensure the configured Snowflake ${what} exists and that we have the required permissions to use it.`,
    run: (config, signal) =>
      inSession(parse(config), signal, async (session) => {
        const name = String(config[field]);
        const found = await session.execute<{ name?: string }>(`SHOW ${what.toUpperCase()}S`);
        if (found.some((row) => row.name?.toLowerCase() === name.toLowerCase())) return;
        const text = `The ${what} '${name}' does not exist or we don't have permissions to use it`;
        throw new DestinationError('ObjectNotFound', text, { final: true });
      }),
  });

  return {
    type: 'Snowflake',
    models: ['events', 'persons', 'sessions'],
    fields: {
      account: { type: 'str', required: true },
      user: { type: 'str', required: true, secret: true },
      database: { type: 'str', required: true, identifier: true },
      warehouse: { type: 'str', required: true, identifier: true },
      schema: { type: 'str', required: true, identifier: true },
      table_name: { type: 'str', fallback: 'events', identifier: true },
      authentication_type: { type: 'str', fallback: 'password' },
      password: { type: 'str', fallback: null, secret: true },
      private_key: { type: 'str', fallback: null, secret: true },
      private_key_passphrase: { type: 'str', fallback: null, secret: true },
      role: { type: 'str', fallback: null, identifier: true },
    },
    check,
    ship(shipment) {
      const config = parse(shipment.config);
      return inSession(config, shipment.signal, (session) => shipToSnowflake(session, shipment, config));
    },
    async found(place, expected) {
      const config = parse(place.config);
      return findRows(place, await expected(), () => openSession(config, place.signal, standIn), config);
    },
    tests: [
      {
        name: 'Establish connection to Snowflake',
        description: 'Ensure the provided configuration can be used to connect to Snowflake.',
        run: (config, signal) => inSession(parse(config), signal, async () => {}),
      },
      look('warehouse', 'warehouse'),
      look('database', 'database'),
      look('schema', 'schema'),
    ],
  };
}

const parse = (config: Config) => config as unknown as SnowflakeConfig;

function check(config: Config): void {
  const { authentication_type, password, private_key, account } = parse(config);
  if (!['password', 'keypair'].includes(authentication_type)) {
    throw new ConfigMistake("'authentication_type' must be 'password' or 'keypair'");
  }
  if (authentication_type === 'password' && !password) {
    throw new ConfigMistake('Password is required if authentication type is password');
  }
  if (authentication_type === 'keypair' && !private_key) {
    throw new ConfigMistake('Private key is required if authentication type is key pair');
  }
  // It becomes the name of a host.
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/.test(account)) {
    throw new ConfigMistake("'account' must be an account identifier, such as 'organization-account'");
  }
}
