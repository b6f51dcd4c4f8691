// Commands are values: what one is called, what it takes and what it does. Parsing, help and the list in the docs are
// made from them.
import type { Config } from '../config.ts';
import type { Logger } from '../platform/logger.ts';
import type { ExitCode } from './exit.ts';

export interface OptionSpec {
  type: 'text' | 'flag';
  /** Names the value in the usage line: `--label <text>`. */
  value?: string;
  about: string;
  required?: boolean;
  /** May be given more than once. */
  many?: boolean;
}

export interface ArgumentSpec {
  name: string;
  about: string;
}

type Options = Readonly<Record<string, OptionSpec>>;

export type OptionValue = string | boolean | string[] | undefined;

type ValueOf<Spec extends OptionSpec> = Spec extends { type: 'flag' }
  ? boolean
  : Spec extends { many: true }
    ? string[]
    : Spec extends { required: true }
      ? string
      : string | undefined;

/** What a command says when it is done: for people, and the same for machines. */
export interface Answer {
  text: string;
  data: unknown;
  exit?: ExitCode;
}

/** The world outside, as far as a command may touch it. */
export interface Terminal {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export interface Call<O extends Options = Options> {
  /** The positional arguments, as many as the command declares. */
  given: readonly string[];
  options: string extends keyof O ? Record<string, OptionValue> : { readonly [Name in keyof O]: ValueOf<O[Name]> };
  /** Fails with a `ConfigError` when the environment is wrong. */
  readConfig(): Config;
  openLog(config: Config): Promise<Logger>;
  /** Shows an answer before the command has ended; the last one is simply returned. */
  show(answer: Answer): void;
  terminal: Terminal;
}

export interface Command {
  /** One word, or two for the commands of a group: `user create`. */
  name: string;
  summary: string;
  /** More than the summary says, for `--help`. */
  about?: string;
  takes: readonly ArgumentSpec[];
  options: Options;
  run(call: Call): Promise<Answer | undefined>;
}

/** Declares a command; its `run` knows the types of its options. */
export function command<const O extends Options = Record<never, never>>(spec: {
  name: string;
  summary: string;
  about?: string;
  takes?: readonly ArgumentSpec[];
  options?: O;
  run(call: Call<O>): Promise<Answer | undefined>;
}): Command {
  // The parser fills in every declared option by its declaration, so the narrower type of `run` holds.
  return { takes: [], ...spec, options: spec.options ?? {}, run: spec.run as Command['run'] };
}
