// Redshift, which speaks PostgreSQL's protocol and much of its SQL.
import type { NetworkGuard } from '../../network/guard.ts';
import { type Config, ConfigMistake, type Destination } from '../destination.ts';
import { checkHost, openConnection, withConnection } from '../postgres/connect.ts';
import { accessFields, type TableConfig } from '../postgres/destination.ts';
import { type Dialect, shipToTable } from '../postgres/ship.ts';
import { tableSteps } from '../postgres/steps.ts';
import { targetOf } from '../postgres/table.ts';
import { type CopyInputs, checkCopyInputs, copyRows } from './copy.ts';
import { findRows } from './found.ts';
import { insertRows } from './insert.ts';
import { type PropertiesType, redshiftColumns } from './layout.ts';
import { mergeStatements } from './merge.ts';

interface RedshiftConfig extends TableConfig {
  readonly properties_data_type: PropertiesType;
  readonly mode: 'INSERT' | 'COPY';
  readonly copy_inputs: CopyInputs | null;
}

/** @param endpoint of the S3 that files go to, where it is not Amazon's own */
export function redshiftDestination(guard: NetworkGuard, endpoint: string | null = null): Destination {
  return {
    type: 'Redshift',
    models: ['events', 'persons', 'sessions'],
    fields: {
      ...accessFields,
      port: { type: 'int', fallback: 5439 },
      properties_data_type: { type: 'str', fallback: 'varchar' },
      mode: { type: 'str', fallback: 'INSERT' },
      copy_inputs: { type: 'dict', fallback: null, secret: ['aws_access_key_id', 'aws_secret_access_key'] },
    },
    check,
    ship(shipment) {
      const config = parse(shipment.config);
      const dialect = dialectOf(config, guard, endpoint);
      return withConnection(accessOf(config), guard, shipment.signal, (client) =>
        shipToTable(client, tableOf(config), shipment, dialect),
      );
    },
    tests: tableSteps('Redshift', (config, signal, run) =>
      withConnection(accessOf(parse(config)), guard, signal, (client) => run(client, tableOf(parse(config)))),
    ),
    async found(place, expected) {
      const config = parse(place.config);
      const open = () => openConnection(accessOf(config), guard, place.signal);
      return findRows(place, await expected(), open, tableOf(config));
    },
  };
}

const parse = (config: Config) => config as unknown as RedshiftConfig;
const accessOf = (config: RedshiftConfig) => ({ ...config, has_self_signed_cert: false });
/** Redshift writes names in small letters, whatever they were created with. */
const tableOf = (config: RedshiftConfig) => targetOf(config.schema.toLowerCase(), config.table_name.toLowerCase());

function check(config: Config): void {
  checkHost(config);
  const { properties_data_type, mode } = config as unknown as RedshiftConfig;
  if (!['varchar', 'super'].includes(properties_data_type)) {
    throw new ConfigMistake("'properties_data_type' must be 'varchar' or 'super'");
  }
  if (!['INSERT', 'COPY'].includes(mode)) throw new ConfigMistake("'mode' must be 'INSERT' or 'COPY'");
  if (mode === 'COPY') checkCopyInputs(config.copy_inputs);
}

function dialectOf(config: RedshiftConfig, guard: NetworkGuard, endpoint: string | null): Dialect {
  const { mode, copy_inputs: inputs, properties_data_type } = config;
  return {
    columns: (shipment) => redshiftColumns(shipment, properties_data_type),
    load:
      mode === 'COPY' && inputs
        ? (client, table, columns, shipment, part) =>
            copyRows(client, table, columns, shipment, part, { inputs, guard, endpoint })
        : insertRows,
    merge: mergeStatements,
  };
}
