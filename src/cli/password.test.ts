import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { readPassword } from './password.ts';

/** A terminal at which somebody types these lines, one whenever a prompt appears. */
function openTerminal(lines: readonly string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const shown: string[] = [];
  const typed = [...lines];
  const stderr = {
    write(text: string) {
      shown.push(text);
      if (text.endsWith(': ')) setImmediate(() => stdin.write(`${typed.shift()}\r`));
      return true;
    },
  };
  return { terminal: { stdin, stderr } as never, shown: () => shown.join('') };
}

function openPipe(text: string) {
  const stdin = new PassThrough();
  stdin.end(text);
  return { stdin, stderr: { write: () => true } } as never;
}

test('at a terminal the password is asked for twice and never shown', async () => {
  const { terminal, shown } = openTerminal(['correct horse', 'correct horse']);

  assert.equal(await readPassword('Password', terminal), 'correct horse');
  assert.equal(shown(), 'Password: \nOnce more: \n');
});

test('two different passwords are refused', async () => {
  const { terminal } = openTerminal(['correct horse', 'correct house']);

  await assert.rejects(readPassword('Password', terminal), /differ/);
});

test('Ctrl-C at the prompt ends it', async () => {
  const { terminal } = openTerminal(['\x03']);

  await assert.rejects(readPassword('Password', terminal), /Stopped/);
});

test('from a pipe the first line is taken as it is', async () => {
  assert.equal(await readPassword('Password', openPipe(' with spaces \r\nmore\n')), ' with spaces ');
  await assert.rejects(readPassword('Password', openPipe('')), /No password/);
});
