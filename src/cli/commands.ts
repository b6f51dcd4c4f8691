// Everything `tenrec` can do, in the order that help shows it: by the first word, the file that holds its commands.
// Only the file that is called is loaded: a start would otherwise pay for the parts of all the others.
import type { Command } from './command.ts';

const files: Readonly<Record<string, () => Promise<{ commands: readonly Command[] }>>> = {
  start: () => import('./start.ts'),
  migrate: () => import('./migrate.ts'),
  doctor: () => import('./doctor.ts'),
  user: () => import('./user.ts'),
  project: () => import('./project.ts'),
  key: () => import('./key.ts'),
  events: () => import('./events.ts'),
  export: () => import('./export.ts'),
  config: () => import('./config.ts'),
};

/** The commands that begin with this word; all there are when none does, or without a word. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const named = word !== undefined && Object.hasOwn(files, word) ? [files[word]!] : Object.values(files);
  const loaded = await Promise.all(named.map((load) => load()));
  return loaded.flatMap(({ commands }) => commands);
}
