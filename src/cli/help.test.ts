import assert from 'node:assert/strict';
import { test } from 'node:test';
import { options as variables } from '../config.ts';
import { loadCommands } from './commands.ts';
import { exitCodes } from './exit.ts';
import { printHelp } from './help.ts';
import { commonOptions } from './parse.ts';

const commands = await loadCommands();

test('help names every command and every exit code', () => {
  const text = printHelp([], commands);

  for (const { name } of commands) assert.match(text, new RegExp(`^  ${name}\\b`, 'm'));
  for (const code of Object.keys(exitCodes)) assert.match(text, new RegExp(`^  ${code} `, 'm'));
});

for (const { name, takes, options } of commands) {
  test(`help on "${name}" names all its arguments and options`, () => {
    const text = printHelp(name.split(' '), commands);

    assert.match(text, new RegExp(`^Usage: tenrec ${name}\\b`, 'm'));
    for (const argument of takes) assert.match(text, new RegExp(`^  <${argument.name}>`, 'm'));
    for (const option of Object.keys({ ...options, ...commonOptions })) {
      assert.match(text, new RegExp(`^  --${option}\\b`, 'm'));
    }
  });
}

test('help on a group names its commands and no others', () => {
  const text = printHelp(['user'], commands);

  for (const { name } of commands) {
    assert.equal(new RegExp(`^  ${name}\\b`, 'm').test(text), name.startsWith('user '), name);
  }
});

test('help on start names every variable', () => {
  const text = printHelp(['start'], commands);

  for (const name of Object.keys(variables)) assert.match(text, new RegExp(`^  ${name} `, 'm'));
});

test('no line of help is longer than a terminal is wide', () => {
  const topics = [[], ['user'], ...commands.map(({ name }) => name.split(' '))];
  for (const line of topics.flatMap((words) => printHelp(words, commands).split('\n'))) {
    assert.ok(line.length <= 110, `${line.length}: ${line}`);
  }
});
