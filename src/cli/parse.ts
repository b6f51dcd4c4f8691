// What was typed → which command, with which values. Mistakes are told in one line that says what would be right.
import { parseArgs } from 'node:util';
import type { ArgumentSpec, Command, OptionSpec, OptionValue } from './command.ts';
import { usageError } from './exit.ts';
import { findNearest } from './nearest.ts';

/** Understood after every command. */
export const commonOptions = {
  help: { type: 'flag', about: 'Show how the command is used.' },
  json: { type: 'flag', about: 'Answer in JSON on stdout; everything else goes to stderr.' },
} as const satisfies Record<string, OptionSpec>;

export type Parsed =
  | { kind: 'version' }
  /** Help on everything, or on the commands whose names start with these words. */
  | { kind: 'help'; words: readonly string[] }
  | { kind: 'run'; command: Command; given: string[]; options: Record<string, OptionValue>; json: boolean };

export function parse(args: readonly string[], commands: readonly Command[]): Parsed {
  const [first] = args;
  if (first === '--version' || first === '-v') return { kind: 'version' };
  if (first === undefined || first === 'help' || args.some((arg) => arg === '--help' || arg === '-h')) {
    const words = args.filter((arg) => !arg.startsWith('-'));
    return { kind: 'help', words: findTopic(first === 'help' ? words.slice(1) : words, commands) };
  }
  if (first.startsWith('-')) {
    throw usageError(`tenrec begins with a command, not with ${first}; options follow it. See: tenrec --help`);
  }
  const { command, rest } = findCommand(args, commands);
  return readCall(command, rest);
}

/** The words of a command or of a group of commands. */
function findTopic(words: readonly string[], commands: readonly Command[]): string[] {
  const [first, second] = words;
  if (first === undefined) return [];
  if (second === undefined && listGroup(first, commands).length > 0) return [first];
  return findCommand(words, commands).command.name.split(' ');
}

function findCommand(args: readonly string[], commands: readonly Command[]): { command: Command; rest: string[] } {
  const [first = '', second = ''] = args;
  const single = commands.find(({ name }) => name === first);
  if (single) return { command: single, rest: args.slice(1) };
  const group = listGroup(first, commands);
  if (group.length === 0) {
    throw unknown('command', first, new Set([...commands.map(({ name }) => name.split(' ')[0]!), 'help']));
  }
  const names = group.map(({ name }) => name.slice(first.length + 1));
  if (second === '' || second.startsWith('-')) {
    throw usageError(`tenrec ${first} needs one of: ${names.join(', ')}. See: tenrec ${first} --help`);
  }
  const found = group.find(({ name }) => name === `${first} ${second}`);
  if (!found) throw unknown(`command of tenrec ${first}`, second, names);
  return { command: found, rest: args.slice(2) };
}

const listGroup = (word: string, commands: readonly Command[]) =>
  commands.filter(({ name }) => name.startsWith(`${word} `));

function unknown(what: string, word: string, candidates: Iterable<string>) {
  const nearest = findNearest(word, candidates);
  const hint = nearest ? `did you mean ${nearest}?` : `there are: ${[...candidates].join(', ')}.`;
  return usageError(`${JSON.stringify(word)} is not a ${what}; ${hint}`);
}

function readCall(command: Command, args: string[]): Parsed {
  const specs: Record<string, OptionSpec> = { ...commonOptions, ...command.options };
  const { tokens } = parseArgs({
    args,
    tokens: true,
    // The mistakes are ours to explain: Node's own texts know neither the command nor what would be near.
    strict: false,
    options: Object.fromEntries(
      Object.entries(specs).map(([name, { type }]) => [name, { type: type === 'flag' ? 'boolean' : 'string' }]),
    ),
  });
  const given: string[] = [];
  const values: Record<string, OptionValue> = {};
  for (const token of tokens) {
    if (token.kind === 'positional') given.push(token.value);
    if (token.kind === 'option') takeOption(command, specs, values, token);
  }
  requireArguments(command, given);
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, spec]) => [name, values[name] ?? absent(command, name, spec)]),
  );
  return { kind: 'run', command, given, options, json: values.json === true };
}

interface OptionToken {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
}

function takeOption(
  command: Command,
  specs: Record<string, OptionSpec>,
  values: Record<string, OptionValue>,
  { name, rawName, value, inlineValue }: OptionToken,
): void {
  const spec = Object.hasOwn(specs, name) && rawName.startsWith('--') ? specs[name] : undefined;
  if (!spec) {
    const names = Object.keys(specs);
    const nearest = findNearest(name, names);
    const hint = nearest ? `did you mean --${nearest}?` : `it takes: ${names.map((known) => `--${known}`).join(', ')}.`;
    throw usageError(`tenrec ${command.name} has no option ${rawName}; ${hint}`);
  }
  if (spec.type === 'flag') {
    if (value !== undefined) throw usageError(`${rawName} takes no value; leave out =${value}.`);
    values[name] = true;
    return;
  }
  // A text that starts with a dash is more likely the next option than a value; `=` settles it.
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('-'))) {
    throw usageError(`${rawName} needs a value: ${rawName}=<${spec.value ?? name}>`);
  }
  if (spec.many) values[name] = [...((values[name] as string[] | undefined) ?? []), value];
  else if (values[name] !== undefined) throw usageError(`${rawName} was given twice; give it once.`);
  else values[name] = value;
}

function requireArguments(command: Command, given: readonly string[]): void {
  const lacking: ArgumentSpec | undefined = command.takes[given.length];
  if (lacking) throw usageError(`tenrec ${command.name} needs <${lacking.name}>: ${lacking.about}`);
  if (given.length > command.takes.length) {
    throw usageError(
      `tenrec ${command.name} has no use for ${JSON.stringify(given[command.takes.length])}. See: tenrec ${command.name} --help`,
    );
  }
}

function absent(command: Command, name: string, spec: OptionSpec): OptionValue {
  if (spec.required) throw usageError(`tenrec ${command.name} needs --${name} <${spec.value ?? name}>: ${spec.about}`);
  if (spec.type === 'flag') return false;
  return spec.many ? [] : undefined;
}
