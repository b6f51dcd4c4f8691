// Help is printed from the commands, the options and the exit codes themselves, so it cannot fall behind them.
import { options as variables } from '../config.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit.ts';
import { commonOptions } from './parse.ts';
import { printDefinitions, wrap } from './table.ts';

/** Help on everything, on a group of commands, or on one of them. */
export function printHelp(words: readonly string[], commands: readonly Command[]): string {
  const name = words.join(' ');
  if (name === '') return printOverview(commands);
  const exact = commands.find((command) => command.name === name);
  if (exact) return printCommand(exact);
  const group = commands.filter((command) => command.name.startsWith(`${name} `));
  return section('Commands', listCommands(group)) + section('More', `  tenrec help ${name} <command>`);
}

function printOverview(commands: readonly Command[]): string {
  return (
    'Tenrec: product analytics and feature flags in one program.\n\n' +
    'Usage: tenrec <command> [options]\n\n' +
    section('Commands', listCommands(commands)) +
    section('Options', printOptions({ ...commonOptions, version: { type: 'flag', about: 'Print the version.' } })) +
    section('Exit codes', printDefinitions(Object.entries(exitCodes))) +
    section(
      'More',
      printDefinitions([
        ['tenrec help <command>', 'arguments and options of a command'],
        ['tenrec config', 'the configuration: variables, their values and meaning'],
      ]),
    )
  );
}

function printCommand(command: Command): string {
  return (
    `${command.summary}\n\n` +
    `Usage: ${usageLine(command)}\n\n` +
    (command.about ? `${wrap(command.about, 100).join('\n')}\n\n` : '') +
    (command.takes.length > 0
      ? section('Arguments', printDefinitions(command.takes.map(({ name, about }) => [`<${name}>`, about])))
      : '') +
    section('Options', printOptions({ ...command.options, ...commonOptions })) +
    (command.name === 'start' ? section('Environment', printVariables()) : '') +
    section('Exit codes', printDefinitions(Object.entries(exitCodes)))
  );
}

function usageLine({ name, takes, options }: Command): string {
  const required = Object.entries(options)
    .filter(([, spec]) => spec.required)
    .map(([option, spec]) => `--${option} <${spec.value ?? option}>`);
  return ['tenrec', name, ...takes.map((argument) => `<${argument.name}>`), ...required, '[options]'].join(' ');
}

const listCommands = (commands: readonly Command[]) =>
  printDefinitions(
    commands.map(({ name, takes, summary }) => [[name, ...takes.map((it) => `<${it.name}>`)].join(' '), summary]),
  );

function printOptions(options: Command['options']): string {
  return printDefinitions(
    Object.entries(options).map(([name, { type, value, about, required, many }]) => [
      type === 'flag' ? `--${name}` : `--${name} <${value ?? name}>`,
      [about, required ? 'Required.' : '', many ? 'May be repeated.' : ''].filter(Boolean).join(' '),
    ]),
  );
}

const printVariables = () =>
  printDefinitions(
    Object.entries(variables).map(([name, { fallback, about }]) => [
      name,
      fallback === '' ? about : `${about} Default: ${fallback}`,
    ]),
  );

const section = (title: string, body: string) => `${title}:\n${body}\n\n`;
