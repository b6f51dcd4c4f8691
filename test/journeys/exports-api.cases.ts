// What is taken for a batch export, and what is refused.

export type Json = Record<string, unknown>;

export const S3 = { bucket_name: 'lake', region: 'eu-central-1', prefix: 'ph/{table}/' };

const filters = [{ key: '$browser', operator: 'exact', type: 'event', value: ['Firefox'] }];

export const accepted: [title: string, given: Json, shown: Json][] = [
  ['every five minutes', { interval: 'every 5 minutes' }, { interval: 'every 5 minutes' }],
  [
    'a week of its own',
    { interval: 'week', offset_day: 1, offset_hour: 6, timezone: 'Europe/Berlin' },
    { offset_day: 1 },
  ],
  ['no model is events', { model: null }, { model: 'events' }],
  ['persons', { model: 'persons' }, { model: 'persons' }],
  ['sessions', { model: 'sessions' }, { model: 'sessions' }],
  ['filters', { filters }, { filters }],
  ['no filters', { filters: null }, { filters: null }],
  ['paused from the start', { paused: true }, { paused: true }],
  ['a moment without a zone', { start_at: '2022-07-19 00:00:00' }, { start_at: '2022-07-19T00:00:00Z' }],
  ['fields nobody knows', { hello: 1 }, {}],
];

export const s3With = (config: Json) => ({ destination: { type: 'S3', config: { ...S3, ...config } } });
const POSTGRES = { user: 'ph', password: 's3cr3t', host: 'db.example.com', database: 'dw' };
const postgresWith = (config: Json) => ({ destination: { type: 'Postgres', config: { ...POSTGRES, ...config } } });

export const refused: [title: string, given: Json, detail: string, attr: string | null, code?: string][] = [
  ['no name', { name: undefined }, 'This field is required.', 'name', 'required'],
  ['a blank name', { name: ' ' }, 'This field may not be blank.', 'name', 'blank'],
  ['no interval', { interval: undefined }, 'This field is required.', 'interval', 'required'],
  ['an unknown interval', { interval: 'minute' }, '"minute" is not a valid choice.', 'interval', 'invalid_choice'],
  ['no destination', { destination: undefined }, 'This field is required.', 'destination', 'required'],
  ['no type', { destination: { config: {} } }, 'This field is required.', 'destination__type', 'required'],
  [
    'an unknown type',
    { destination: { type: 'Carrier pigeon', config: {} } },
    '"Carrier pigeon" is not a valid choice.',
    'destination__type',
    'invalid_choice',
  ],
  [
    'a configuration that is a list',
    { destination: { type: 'S3', config: [] } },
    'Expected a dictionary of items but got type "list".',
    'destination__config',
    'not_a_dict',
  ],
  [
    'unknown fields',
    s3With({ hello2: 1, hello: 2 }),
    "Configuration has unknown field/s: 'hello', 'hello2'",
    'destination',
  ],
  [
    'a missing field',
    { destination: { type: 'S3', config: { region: 'x', prefix: 'y' } } },
    "Configuration missing required field: 'bucket_name'",
    'destination',
  ],
  [
    'a wrong type',
    s3With({ bucket_name: 5 }),
    "Configuration has invalid type: got 'int', expected 'str'",
    'destination',
  ],
  [
    'a null',
    s3With({ bucket_name: null }),
    "Configuration has invalid type: got 'NoneType', expected 'str'",
    'destination',
  ],
  [
    'an unknown format',
    s3With({ file_format: 'unknown' }),
    "File format unknown is not supported. Supported file formats are ['Parquet', 'JSONLines']",
    'destination',
  ],
  [
    'a compression of another format',
    s3With({ compression: 'zstd' }),
    "Compression zstd is not supported for file format JSONLines. Supported compressions are ['gzip', 'brotli']",
    'destination',
  ],
  [
    'a name with a quote',
    postgresWith({ table_name: 'a"b' }),
    "'table_name' contains forbidden characters",
    'destination',
  ],
  ['an unknown model', { model: 'groups' }, '"groups" is not a valid choice.', 'model', 'invalid_choice'],
  [
    'an unknown zone',
    { timezone: 'Mars/Olympus' },
    '"Mars/Olympus" is not a valid choice.',
    'timezone',
    'invalid_choice',
  ],
  ['an offset as zone', { timezone: '+02:00' }, '"+02:00" is not a valid choice.', 'timezone', 'invalid_choice'],
  ['an eighth day', { offset_day: 7 }, 'Ensure this value is less than or equal to 6.', 'offset_day', 'max_value'],
  [
    'filters of persons',
    { model: 'persons', filters },
    "'filters' is only supported for 'events' not 'persons' model",
    'filters',
  ],
  [
    'filters that are a text',
    { filters: 'x' },
    'Expected a list of items but got type "str".',
    'filters',
    'not_a_list',
  ],
  ['filters without a key', { filters: [{ value: 1 }] }, 'A filter needs a key, the name of a property.', 'filters'],
];
