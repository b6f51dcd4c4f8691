// BigQuery, through Google's own client, which is loaded when it is first needed.
import type { BigQuery, BigQueryOptions } from '@google-cloud/bigquery';
import { type Config, type Destination, DestinationError, type TestStep } from '../destination.ts';
import { toBigQueryError } from './errors.ts';
import { findRows } from './found.ts';
import { shipToBigQuery } from './ship.ts';
import type { BigQueryTable } from './table.ts';

interface BigQueryConfig extends BigQueryTable {
  readonly private_key: string;
  readonly client_email: string;
}

/** A server that stands in for Google's, and what lets us in there. */
export type StandIn = Required<Pick<BigQueryOptions, 'apiEndpoint' | 'authClient'>>;

const SCOPES = ['https://www.googleapis.com/auth/bigquery'];

export function bigQueryDestination(standIn?: StandIn): Destination {
  const withClient = async <T>(config: BigQueryConfig, run: (client: BigQuery) => Promise<T>): Promise<T> => {
    try {
      const { BigQuery } = await import('@google-cloud/bigquery');
      const options = standIn ?? { authClient: await openAuth(config) };
      return await run(new BigQuery({ projectId: config.project_id, ...options }));
    } catch (error) {
      throw toBigQueryError(error);
    }
  };

  const step = (
    name: string,
    description: string,
    run: (client: BigQuery, config: BigQueryConfig) => Promise<void>,
  ): TestStep => ({
    ...{ name, description },
    run: (config) => withClient(parse(config), (client) => run(client, parse(config))),
  });

  return {
    type: 'BigQuery',
    models: ['events', 'persons', 'sessions'],
    fields: {
      project_id: { type: 'str', required: true, identifier: true },
      dataset_id: { type: 'str', required: true, identifier: true },
      private_key: { type: 'str', required: true, secret: true },
      private_key_id: { type: 'str', required: true, secret: true },
      token_uri: { type: 'str', required: true, secret: true },
      client_email: { type: 'str', required: true, secret: true },
      table_id: { type: 'str', fallback: 'events', identifier: true },
      use_json_type: { type: 'bool', fallback: false },
    },
    ship(shipment) {
      const config = parse(shipment.config);
      return withClient(config, (client) => shipToBigQuery(client, shipment, config));
    },
    found(place, expected) {
      const config = parse(place.config);
      return withClient(config, async (client) => findRows(place, await expected(), client, config));
    },
    tests: [
      step(
        'Verify BigQuery project',
        'Ensure the configured BigQuery project exists and that we have the required permissions to access it.',
        async (client) => {
          await client.getDatasets({ maxResults: 1, autoPaginate: false });
        },
      ),
      step(
        'Verify BigQuery dataset',
        'Ensure the configured BigQuery dataset exists and that we have the required permissions to access it.',
        async (client, { dataset_id }) => {
          const [exists] = await client.dataset(dataset_id).exists();
          if (!exists)
            throw new DestinationError(
              'NotFound',
              `Dataset '${dataset_id}' does not exist or we don't have permissions to use it`,
              { final: true },
            );
        },
      ),
      step(
        'Verify BigQuery table',
        'Ensure a table can be created and deleted in the configured BigQuery dataset.',
        async (client, { dataset_id, table_id }) => {
          const table = client.dataset(dataset_id).table(`${table_id}_test`);
          await table.create({ schema: [{ name: 'event', type: 'STRING' }] });
          await table.delete();
        },
      ),
    ],
  };
}

/** Google's client asks Google itself for a token, whatever the configuration gives as `token_uri`. */
async function openAuth({ client_email: email, private_key }: BigQueryConfig) {
  const { JWT } = await import('google-auth-library');
  // Keys are often pasted with their line breaks written out.
  return new JWT({ email, key: private_key.replaceAll('\\n', '\n'), scopes: SCOPES });
}

const parse = (config: Config) => config as unknown as BigQueryConfig;
