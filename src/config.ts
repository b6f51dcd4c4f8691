// The one reader of the environment. Every option is declared here once, with its default and what it means;
// `tenrec config`, `--help` and the table in the README are printed from this list.
import { resolve } from 'node:path';

interface Option<T> {
  readonly fallback: T;
  readonly about: string;
  /** What a right value looks like, for the error message. */
  readonly expects: string;
  readonly secret: boolean;
  parse(text: string): T | undefined;
}

const text = (fallback: string, about: string): Option<string> => ({
  fallback,
  about,
  expects: 'a text',
  secret: false,
  parse: (value) => value,
});

const secret = (about: string, expects = 'a text', valid = /^/): Option<string> => ({
  fallback: '',
  about,
  expects,
  secret: true,
  parse: (value) => (valid.test(value) ? value : undefined),
});

const url = (about: string, schemes: readonly string[]): Option<string> => ({
  fallback: '',
  about,
  expects: `a URL starting with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  secret: true,
  parse: (value) => (URL.canParse(value) && schemes.includes(new URL(value).protocol) ? value : undefined),
});

const count = (fallback: number, about: string, min = 0, max = Number.MAX_SAFE_INTEGER): Option<number> => ({
  fallback,
  about,
  expects: `a whole number from ${min} to ${max}`,
  secret: false,
  parse: (value) => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    return number >= min && number <= max ? number : undefined;
  },
});

const flag = (about: string): Option<boolean> => ({
  fallback: false,
  about,
  expects: 'true or false',
  secret: false,
  parse: (value) => ({ true: true, '1': true, false: false, '0': false })[value.toLowerCase()],
});

const oneOf = <T extends string>(fallback: T, choices: readonly T[], about: string): Option<T> => ({
  fallback,
  about,
  expects: `one of ${choices.join(', ')}`,
  secret: false,
  parse: (value) => choices.find((choice) => choice === value),
});

export const options = {
  HOST: text('127.0.0.1', 'Address to listen on; `0.0.0.0` for every network interface.'),
  PORT: count(8000, 'Port that serves everything; 0 takes a free one.', 0, 65_535),
  TENREC_DATA: text('./data', 'Folder for everything the program writes.'),
  DATABASE_URL: url('PostgreSQL 15 or newer; unset: the embedded one.', ['postgres:', 'postgresql:']),
  CLICKHOUSE_URL: url('ClickHouse 25 or newer, over HTTP; unset: the embedded one.', ['http:', 'https:']),
  TENREC_CLICKHOUSE_CLUSTER: text(
    '',
    'Name of the cluster at `CLICKHOUSE_URL`: tables are made on all of its machines, replicated. Unset: one machine.',
  ),
  TENREC_SECRET_KEY: secret(
    'Signs cookies and encrypts stored credentials. Unset: generated into the data folder; required with `DATABASE_URL`.',
    'at least 32 characters',
    /^.{32,}$/s,
  ),
  TENREC_BOOTSTRAP_EMAIL: text('', 'First start only: e-mail of the owner.'),
  TENREC_BOOTSTRAP_PASSWORD: secret('First start only: password of the owner.', 'at least 8 characters', /^.{8,}$/s),
  TENREC_BOOTSTRAP_PROJECT_TOKEN: secret(
    'First start only: project key of the first project.',
    'phc_ followed by 8 to 196 letters, digits, - or _',
    /^phc_[0-9A-Za-z_-]{8,196}$/,
  ),
  TENREC_BOOTSTRAP_PERSONAL_API_KEY: secret(
    'First start only: personal API key of the owner, with scope `*`.',
    'phx_ followed by 8 to 196 letters, digits, - or _',
    /^phx_[0-9A-Za-z_-]{8,196}$/,
  ),
  TENREC_LOG_MAX_MB: count(
    4096,
    'Size of the event log. When it is full, events are refused with 503 until the pipeline has caught up.',
    64,
    16_777_216,
  ),
  TENREC_CAPTURE_STRICT: flag('Refuse a whole request with 400 for one bad event, instead of leaving that one out.'),
  GEOIP_DB: text('', 'City database in MaxMind format; unset: the one installed with Tenrec, if any.'),
  TENREC_RATE_LIMITS: flag('Limit how often a personal API key may call the management API.'),
  TENREC_TRUST_PROXY: flag('Believe `X-Forwarded-*` headers: set it when a reverse proxy stands in front.'),
  TENREC_LOG_LEVEL: oneOf('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal'], 'Least severe line to log.'),
  TENREC_LOG_FORMAT: oneOf('auto', ['auto', 'json', 'pretty'], 'Form of log lines; auto: readable on a terminal.'),
  TENREC_QUERY_MEMORY_MB: count(1024, 'Memory one query of the embedded ClickHouse may use.', 64, 1_048_576),
  TENREC_QUERY_SECONDS: count(60, 'Time one query of the embedded ClickHouse may take.', 1, 86_400),
  TENREC_EXPORT_RUNS: count(2, 'Export runs that this process works on at once; 0 leaves them to others.', 0, 64),
  TENREC_EXPORT_PRIVATE_NETWORKS: flag('Let exports connect to addresses of private networks, this machine included.'),
};

type Options = typeof options;
export type Config = { readonly [Name in keyof Options]: Options[Name]['fallback'] };

/** The configuration cannot be used; the message names every mistake, one a line. */
export class ConfigError extends Error {}

/** Reads every option, then reports every mistake at once. An empty variable counts as unset. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const mistakes: string[] = [];
  const config = Object.fromEntries(
    Object.entries<Option<unknown>>(options).map(([name, option]) => {
      const given = env[name];
      if (given === undefined || given === '') return [name, option.fallback];
      const value = option.parse(given);
      if (value === undefined) {
        const shown = option.secret ? 'the value given' : JSON.stringify(given);
        mistakes.push(`${name}: ${shown} is not ${option.expects}.`);
      }
      return [name, value];
    }),
  ) as unknown as Config;
  if (config.DATABASE_URL && !config.TENREC_SECRET_KEY && !env.TENREC_SECRET_KEY) {
    mistakes.push('TENREC_SECRET_KEY: required when DATABASE_URL is set; give at least 32 random characters.');
  }
  if (config.TENREC_CLICKHOUSE_CLUSTER && !config.CLICKHOUSE_URL) {
    mistakes.push('TENREC_CLICKHOUSE_CLUSTER: only with CLICKHOUSE_URL; the embedded ClickHouse is one machine.');
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return { ...config, TENREC_DATA: resolve(config.TENREC_DATA) };
}

/** The defaults, with some options set: for tests and tools that bring their own environment. */
export function configWith(given: Partial<Config>): Config {
  const defaults = readConfig({});
  return { ...defaults, ...given, TENREC_DATA: resolve(given.TENREC_DATA ?? defaults.TENREC_DATA) };
}
