// Every kind of place rows can be shipped to.
import { type GuardOptions, openGuard } from '../network/guard.ts';
import { bigQueryDestination } from './bigquery/destination.ts';
import type { Destination, DestinationType } from './destination.ts';
import { fileDestination } from './file/destination.ts';
import { httpDestination } from './http/destination.ts';
import { noOpDestination } from './no-op.ts';
import { postgresDestination } from './postgres/destination.ts';
import { redshiftDestination } from './redshift/destination.ts';
import { s3Destination } from './s3/destination.ts';
import { snowflakeDestination } from './snowflake/destination.ts';

export interface DestinationOptions extends GuardOptions {
  /** The folder that the `File` destination writes below. */
  readonly filesFolder: string;
}

export type Destinations = Readonly<Partial<Record<DestinationType, Destination>>>;

export function openDestinations(options: DestinationOptions): Destinations {
  const guard = openGuard(options);
  return {
    S3: s3Destination(guard),
    File: fileDestination(options.filesFolder),
    Postgres: postgresDestination(guard),
    Redshift: redshiftDestination(guard),
    BigQuery: bigQueryDestination(),
    Snowflake: snowflakeDestination(),
    HTTP: httpDestination(guard),
    NoOp: noOpDestination,
  };
}
