// From what was typed to the exit code: which command that is, its answer, and how it ended.
import { readFileSync } from 'node:fs';
import { readConfig } from '../config.ts';
import type { Answer, Command, Terminal } from './command.ts';
import { loadCommands } from './commands.ts';
import { type ExitCode, explainFailure } from './exit.ts';
import { printHelp } from './help.ts';
import { type Parsed, parse } from './parse.ts';

type Env = Parameters<typeof readConfig>[0];

/** Runs one command to its end. Tests bring an environment of their own. */
export async function runCli(args: readonly string[], terminal: Terminal, env?: Env): Promise<ExitCode> {
  try {
    const commands = await loadCommands(args[0]);
    return await obey(parse(args, commands), commands, terminal, env);
  } catch (error) {
    const { exit, message } = explainFailure(error);
    // Looked for among the arguments as they are: a machine gets a parsing mistake, too, in the form it asked for.
    const json = args.includes('--json');
    terminal.stderr.write(json ? `${JSON.stringify({ error: message, exit_code: exit })}\n` : `${message}\n`);
    return exit;
  }
}

async function obey(
  parsed: Parsed,
  commands: readonly Command[],
  terminal: Terminal,
  env: Env | undefined,
): Promise<ExitCode> {
  const { stdout } = terminal;
  if (parsed.kind === 'version') {
    stdout.write(`${readVersion()}\n`);
    return 0;
  }
  if (parsed.kind === 'help') {
    stdout.write(`${printHelp(parsed.words, commands).trimEnd()}\n`);
    return 0;
  }
  const { command, given, options, json } = parsed;
  const show = ({ text, data }: Answer) => stdout.write(json ? `${JSON.stringify(data)}\n` : `${text}\n`);
  const answer = await command.run({
    given,
    options,
    readConfig: () => readConfig(env),
    // Loaded when it is needed, which help and most mistakes never do.
    openLog: async (config) => (await import('./log.ts')).openCliLog(config, terminal),
    show,
    terminal,
  });
  if (answer) show(answer);
  return answer?.exit ?? 0;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}
