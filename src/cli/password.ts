// Passwords come from a prompt that shows nothing, or from a pipe; never from the arguments, which every process can read.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Terminal } from './command.ts';
import { CliError, usageError } from './exit.ts';

/** Asks twice at a terminal; takes the first line otherwise. */
export async function readPassword(prompt: string, { stdin, stderr }: Omit<Terminal, 'stdout'>): Promise<string> {
  if (!stdin.isTTY) {
    const [line = ''] = (await text(stdin)).split(/\r?\n/);
    if (line === '') throw usageError('No password: give it on stdin, or at a terminal type it when asked.');
    return line;
  }
  const first = await askHidden(`${prompt}: `, { stdin, stderr });
  const second = await askHidden('Once more: ', { stdin, stderr });
  if (first !== second) throw usageError('The two passwords differ.');
  return first;
}

/** The prompt goes to stderr, so that stdout stays the answer's. */
function askHidden(prompt: string, { stdin, stderr }: Omit<Terminal, 'stdout'>): Promise<string> {
  stderr.write(prompt);
  // Readline edits the line (backspace, paste) and echoes it to its output; this output swallows the echo.
  const silence = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: silence, terminal: true });
  return new Promise<string>((resolve, reject) => {
    lines.once('SIGINT', () => reject(new CliError(1, 'Stopped.')));
    lines.once('close', () => reject(new CliError(1, 'Stopped before a password was given.')));
    lines.question('', resolve);
  }).finally(() => {
    lines.close();
    stderr.write('\n');
  });
}
