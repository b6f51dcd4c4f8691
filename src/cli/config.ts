import { type Config, options } from '../config.ts';
import { type Command, command } from './command.ts';
import { printTable } from './table.ts';

export const commands: Command[] = [
  command({
    name: 'config',
    summary: 'Show every variable with its value, default and meaning.',
    about: 'Secrets are masked. A wrong configuration is told with every mistake in it, one a line.',
    async run({ readConfig }) {
      const shown = listVariables(readConfig());
      const rows = shown.map(({ name, value, fallback, about }) => [name, value, fallback, about]);
      return { data: shown.map(toJson), text: printTable(['VARIABLE', 'VALUE', 'DEFAULT', 'MEANING'], rows) };
    },
  }),
];

interface Variable {
  name: string;
  value: string;
  fallback: string;
  about: string;
  secret: boolean;
}

export function listVariables(config: Config): Variable[] {
  return Object.entries(options).map(([name, { fallback, about, secret }]) => {
    const value = String(config[name as keyof Config]);
    return { name, value: secret ? maskSecret(value) : value, fallback: String(fallback), about, secret };
  });
}

/** Of a URL everything but the password and the query, which may hold one; of other secrets only that they are set. */
export function maskSecret(value: string): string {
  if (value === '' || !value.includes('://') || !URL.canParse(value)) return value && '(set)';
  const { protocol, username, host, pathname } = new URL(value);
  return `${protocol}//${username && `${username}:***@`}${host}${pathname}`;
}

const toJson = ({ fallback, ...variable }: Variable) => ({ ...variable, default: fallback });
