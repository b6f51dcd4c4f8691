// Where rows can be shipped to: what each place is, and what has to be known of it, in words.
import type { BatchExport, DestinationType } from '../../api/use-exports.ts';

export interface ConfigField {
  name: string;
  label: string;
  about: string;
  /** `google-key` is the JSON file of a service account, from which several settings are taken. */
  kind: 'text' | 'secret' | 'number' | 'switch' | 'choice' | 'long-secret' | 'google-key';
  isRequired?: boolean;
  placeholder?: string;
  /** What it is when nothing is said. */
  fallback?: string | number | boolean;
  options?: readonly { value: string; label: string }[];
}

export interface DestinationWords {
  type: DestinationType;
  label: string;
  about: string;
  fields: readonly ConfigField[];
}

const prefix: ConfigField = {
  name: 'prefix',
  label: 'Path',
  about: 'Where the files go. {table}, {year}, {month}, {day}, {hour} and {minute} are filled in for each run.',
  kind: 'text',
  isRequired: true,
  placeholder: 'tenrec/{table}/{year}/{month}/{day}/',
};

const files: readonly ConfigField[] = [
  {
    name: 'file_format',
    label: 'Format',
    about: 'Parquet is smaller and quicker to query; JSON lines are read by anything.',
    kind: 'choice',
    fallback: 'JSONLines',
    options: [
      { value: 'JSONLines', label: 'JSON lines' },
      { value: 'Parquet', label: 'Parquet' },
    ],
  },
  {
    name: 'compression',
    label: 'Compression',
    about: 'JSON lines: gzip or brotli. Parquet: any of them.',
    kind: 'choice',
    options: ['gzip', 'brotli', 'zstd', 'lz4', 'snappy'].map((value) => ({ value, label: value })),
  },
  {
    name: 'max_file_size_mb',
    label: 'Largest file, in MB',
    about: 'Runs with more than that write several files. Empty: one file for each run.',
    kind: 'number',
  },
];

const tableField = (name: string): ConfigField => ({
  name,
  label: 'Table',
  about: 'Made with the first run when it is not there.',
  kind: 'text',
  fallback: 'events',
});

const database = (port: number): readonly ConfigField[] => [
  {
    name: 'host',
    label: 'Host',
    about: 'Name or address of the server, without a protocol.',
    kind: 'text',
    isRequired: true,
    placeholder: 'db.example.com',
  },
  { name: 'port', label: 'Port', about: `Usually ${port}.`, kind: 'number', fallback: port },
  { name: 'database', label: 'Database', about: 'It has to be there already.', kind: 'text', isRequired: true },
  {
    name: 'schema',
    label: 'Schema',
    about: 'It has to be there already, and the user must be allowed to make tables in it.',
    kind: 'text',
    fallback: 'public',
  },
  tableField('table_name'),
  {
    name: 'user',
    label: 'User',
    about: 'One of its own, which may do nothing else.',
    kind: 'secret',
    isRequired: true,
  },
  {
    name: 'password',
    label: 'Password',
    about: 'Kept encrypted, and never shown again.',
    kind: 'secret',
    isRequired: true,
  },
];

export const destinations: readonly DestinationWords[] = [
  {
    type: 'S3',
    label: 'S3',
    about: 'Files in a bucket of Amazon S3, or of whatever speaks its protocol: R2, MinIO, Google Cloud Storage.',
    fields: [
      { name: 'bucket_name', label: 'Bucket', about: 'It has to be there already.', kind: 'text', isRequired: true },
      {
        name: 'region',
        label: 'Region',
        about: 'Where the bucket is; “auto” for R2.',
        kind: 'text',
        isRequired: true,
        placeholder: 'eu-central-1',
      },
      prefix,
      {
        name: 'aws_access_key_id',
        label: 'Access key id',
        about: 'Of a user who may put objects into the bucket, list it and abort uploads.',
        kind: 'secret',
      },
      {
        name: 'aws_secret_access_key',
        label: 'Secret access key',
        about: 'Kept encrypted, and never shown again.',
        kind: 'secret',
      },
      ...files,
      {
        name: 'encryption',
        label: 'Encryption in the bucket',
        about: 'What the bucket asks for; empty: its own default.',
        kind: 'choice',
        options: [
          { value: 'AES256', label: 'AES256' },
          { value: 'aws:kms', label: 'aws:kms' },
        ],
      },
      { name: 'kms_key_id', label: 'KMS key id', about: 'Only with aws:kms.', kind: 'text' },
      {
        name: 'endpoint_url',
        label: 'Endpoint',
        about: 'Only for services other than Amazon’s.',
        kind: 'text',
        placeholder: 'https://minio.example.com',
      },
      {
        name: 'use_virtual_style_addressing',
        label: 'The bucket is part of the host name',
        about: 'Some services ask for it: bucket.example.com instead of example.com/bucket.',
        kind: 'switch',
      },
    ],
  },
  {
    type: 'Postgres',
    label: 'PostgreSQL',
    about: 'Rows in a table; a row that is shipped again replaces itself.',
    fields: [
      ...database(5432),
      {
        name: 'has_self_signed_cert',
        label: 'The certificate is self-signed',
        about: 'The connection is encrypted, but whom it leads to is not checked.',
        kind: 'switch',
      },
    ],
  },
  {
    type: 'BigQuery',
    label: 'BigQuery',
    about: 'Rows in a table of Google BigQuery.',
    fields: [
      {
        name: 'google_key',
        label: 'Key of the service account',
        about: 'The whole JSON file that Google gave you; the account needs BigQuery Data Editor and Job User.',
        kind: 'google-key',
        isRequired: true,
      },
      { name: 'project_id', label: 'Project', about: 'Where the dataset is.', kind: 'text', isRequired: true },
      { name: 'dataset_id', label: 'Dataset', about: 'It has to be there already.', kind: 'text', isRequired: true },
      tableField('table_id'),
      {
        name: 'use_json_type',
        label: 'Properties as JSON columns',
        about: 'Otherwise they are texts that hold JSON.',
        kind: 'switch',
      },
    ],
  },
  {
    type: 'Snowflake',
    label: 'Snowflake',
    about: 'Rows in a table of Snowflake.',
    fields: [
      {
        name: 'account',
        label: 'Account',
        about: 'Its identifier, such as myorg-account123.',
        kind: 'text',
        isRequired: true,
      },
      { name: 'database', label: 'Database', about: 'It has to be there already.', kind: 'text', isRequired: true },
      { name: 'warehouse', label: 'Warehouse', about: 'It does the work of loading.', kind: 'text', isRequired: true },
      { name: 'schema', label: 'Schema', about: 'It has to be there already.', kind: 'text', isRequired: true },
      tableField('table_name'),
      { name: 'role', label: 'Role', about: 'Empty: the default of the user.', kind: 'text' },
      { name: 'user', label: 'User', about: 'One of its own.', kind: 'secret', isRequired: true },
      {
        name: 'authentication_type',
        label: 'Signs in with',
        about: 'A password, or a key pair.',
        kind: 'choice',
        fallback: 'password',
        options: [
          { value: 'password', label: 'Password' },
          { value: 'keypair', label: 'Key pair' },
        ],
      },
      { name: 'password', label: 'Password', about: 'Only when it signs in with one.', kind: 'secret' },
      {
        name: 'private_key',
        label: 'Private key',
        about: 'Only with a key pair: the whole PEM text.',
        kind: 'long-secret',
      },
      { name: 'private_key_passphrase', label: 'Its passphrase', about: 'If it has one.', kind: 'secret' },
    ],
  },
  {
    type: 'Redshift',
    label: 'Redshift',
    about: 'Rows in a table of Amazon Redshift.',
    fields: [
      ...database(5439),
      {
        name: 'properties_data_type',
        label: 'Properties as',
        about: 'SUPER can be queried by key; texts are shorter than 65,535 bytes.',
        kind: 'choice',
        fallback: 'varchar',
        options: [
          { value: 'varchar', label: 'Text (VARCHAR)' },
          { value: 'super', label: 'JSON (SUPER)' },
        ],
      },
    ],
  },
  {
    type: 'HTTP',
    label: 'Another Tenrec',
    about: 'Events are sent to another server that takes batches of them; each keeps its uuid.',
    fields: [
      {
        name: 'url',
        label: 'Address',
        about: 'Where batches are taken.',
        kind: 'text',
        isRequired: true,
        placeholder: 'https://tenrec.example.com/batch/',
      },
      { name: 'token', label: 'Project key', about: 'Of the project over there.', kind: 'secret', isRequired: true },
    ],
  },
  {
    type: 'File',
    label: 'A folder on this server',
    about: 'Files below the data folder, laid out like a bucket. Good for trying things, and for backups.',
    fields: [prefix, ...files],
  },
];

export const findDestination = (type: string): DestinationWords | undefined =>
  destinations.find((destination) => destination.type.toLowerCase() === type.toLowerCase());

/** `Events → S3`. */
export function describeWay({ model, destination: { type } }: Pick<BatchExport, 'model' | 'destination'>): string {
  return `${model.charAt(0).toUpperCase()}${model.slice(1)} → ${findDestination(type)?.label ?? type}`;
}
