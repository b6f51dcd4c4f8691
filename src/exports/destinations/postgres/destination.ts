// PostgreSQL, by its own bulk protocol.
import type { NetworkGuard } from '../../network/guard.ts';
import type { Config, ConfigFields, Destination } from '../destination.ts';
import { checkHost, openConnection, type PostgresAccess, withConnection } from './connect.ts';
import { postgresDialect } from './dialect.ts';
import { findRows } from './found.ts';
import { shipToTable } from './ship.ts';
import { tableSteps } from './steps.ts';
import { targetOf } from './table.ts';

export interface TableConfig extends PostgresAccess {
  readonly schema: string;
  readonly table_name: string;
}

export const accessFields: ConfigFields = {
  user: { type: 'str', required: true, secret: true },
  password: { type: 'str', required: true, secret: true },
  host: { type: 'str', required: true },
  database: { type: 'str', required: true, identifier: true },
  schema: { type: 'str', fallback: 'public', identifier: true },
  table_name: { type: 'str', fallback: 'events', identifier: true },
};

export function postgresDestination(guard: NetworkGuard): Destination {
  return {
    type: 'Postgres',
    models: ['events', 'persons', 'sessions'],
    fields: {
      ...accessFields,
      port: { type: 'int', fallback: 5432 },
      has_self_signed_cert: { type: 'bool', fallback: false },
    },
    check: checkHost,
    ship(shipment) {
      const config = parse(shipment.config);
      return withConnection(config, guard, shipment.signal, (client) =>
        shipToTable(client, targetOf(config.schema, config.table_name), shipment, postgresDialect),
      );
    },
    tests: tableSteps('PostgreSQL', (config, signal, run) => {
      const { schema, table_name, ...access } = parse(config);
      return withConnection(access, guard, signal, (client) => run(client, targetOf(schema, table_name)));
    }),
    async found(place, expected) {
      const config = parse(place.config);
      const target = targetOf(config.schema, config.table_name);
      return findRows(place, await expected(), () => openConnection(config, guard, place.signal), target);
    },
  };
}

const parse = (config: Config) => config as unknown as TableConfig;
