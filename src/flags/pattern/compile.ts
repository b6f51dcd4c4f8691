// Regular expressions that take time in proportion to the text, whatever somebody wrote into a flag.
//
// All ways through the pattern are followed at once, one character of the text at a time, so there is nothing to go
// back to. Look-around fits in: where it holds is marked beforehand, in one more walk over the text.
import { type Assert, type CharTest, type Look, type Node, PatternError, parsePattern } from './parse.ts';

/** Whether the pattern is found in a text; undefined when that would take more than is granted. */
export type Pattern = (text: string) => boolean | undefined;

const SOURCE_LENGTH_MAX = 2_000;
const STEPS_MAX = 3_000;
/** Characters times steps: about a tenth of a second. */
const WORK_MAX = 10_000_000;

type Step =
  | { op: 'char'; char: CharTest; to: number }
  | { op: 'fork'; to: number; or: number }
  | { op: 'assert'; assert: Assert; to: number }
  | { op: 'look'; look: number; to: number }
  | { op: 'found' };

interface Program {
  steps: Step[];
  /** The text is walked from its end to its start. */
  backwards: boolean;
}

/** Undefined when the text is no pattern, or one that is too large. */
export function compilePattern(source: string): Pattern | undefined {
  if (source.length > SOURCE_LENGTH_MAX) return undefined;
  try {
    const { root, looks } = parsePattern(source);
    const main = toProgram(root, false);
    // A look ahead is walked backwards: where a match begins is what must be known.
    const marked = looks.map((look) => ({ ...look, program: toProgram(look.node, !look.behind) }));
    const work = marked.reduce((sum, { program }) => sum + program.steps.length, main.steps.length);
    return (text) => (text.length * work > WORK_MAX ? undefined : find(main, marked, text));
  } catch (error) {
    if (error instanceof PatternError) return undefined;
    throw error;
  }
}

function find(main: Program, looks: readonly (Look & { program: Program })[], text: string): boolean {
  const chars = Array.from(text, (char) => char.codePointAt(0)!);
  const marks: Uint8Array[] = [];
  for (const { program, negated } of looks) {
    const mark = new Uint8Array(chars.length + 1).fill(Number(negated));
    walk(program, chars, marks, (at) => {
      mark[at] = Number(!negated);
      return false;
    });
    marks.push(mark);
  }
  let found = false;
  walk(main, chars, marks, () => {
    found = true;
    return true;
  });
  return found;
}

/** Tells of every place where a match ends (walked backwards: begins), until told that it is enough. */
function walk(
  { steps, backwards }: Program,
  chars: readonly number[],
  marks: readonly Uint8Array[],
  onFound: (at: number) => boolean,
): void {
  const seenAt = new Int32Array(steps.length).fill(-1);
  const pending: number[] = [];
  let current: number[] = [];
  let next: number[] = [];

  /** Adds a step and all that can be reached from it without a character; true when one of them is the end. */
  const reach = (from: number, at: number, into: number[]): boolean => {
    let found = false;
    pending.push(from);
    while (pending.length > 0) {
      const index = pending.pop()!;
      if (seenAt[index] === at) continue;
      seenAt[index] = at;
      const step = steps[index]!;
      if (step.op === 'char') into.push(index);
      else if (step.op === 'found') found = true;
      else if (step.op === 'fork') pending.push(step.to, step.or);
      else if (step.op === 'look') {
        if (marks[step.look]![at] === 1) pending.push(step.to);
      } else if (step.assert(chars[at - 1] ?? -1, chars[at] ?? -1)) pending.push(step.to);
    }
    return found;
  };

  const { length } = chars;
  for (let walked = 0; walked <= length; walked += 1) {
    const at = backwards ? length - walked : walked;
    let found = false;
    if (walked > 0) {
      const char = chars[backwards ? at : at - 1]!;
      for (const index of current) {
        const step = steps[index]!;
        if (step.op === 'char' && step.char(char) && reach(step.to, at, next)) found = true;
      }
      [current, next] = [next, []];
    }
    // A match may begin anywhere.
    if (reach(0, at, current)) found = true;
    if (found && onFound(at)) return;
  }
}

function toProgram(root: Node, backwards: boolean): Program {
  const steps: Step[] = [];
  const add = (step: Step): number => {
    if (steps.length >= STEPS_MAX) throw new PatternError('too large');
    return steps.push(step) - 1;
  };
  // The first step is where a walk begins; it is told where to go when the rest is there.
  const start = add({ op: 'fork', to: 0, or: 0 });
  const emit = (node: Node, to: number): number => {
    switch (node.kind) {
      case 'empty':
        return to;
      case 'char':
        return add({ op: 'char', char: node.char, to });
      case 'assert':
        return add({ op: 'assert', assert: node.assert, to });
      case 'look':
        return add({ op: 'look', look: node.look, to });
      case 'cat':
        // Written from its last part to its first, so that each knows what follows.
        return (backwards ? node.nodes : [...node.nodes].reverse()).reduce((after, part) => emit(part, after), to);
      case 'alt':
        return node.nodes.map((branch) => emit(branch, to)).reduce((or, branch) => add({ op: 'fork', to: branch, or }));
      case 'repeat':
        return emitRepeat(node, to);
    }
  };
  const emitRepeat = ({ node, min, max }: Extract<Node, { kind: 'repeat' }>, to: number): number => {
    let after = to;
    if (max === Infinity) {
      const loop: Extract<Step, { op: 'fork' }> = { op: 'fork', to, or: to };
      after = add(loop);
      loop.to = emit(node, after);
    } else {
      for (let count = min; count < max; count += 1) after = add({ op: 'fork', to: emit(node, after), or: to });
    }
    for (let count = 0; count < min; count += 1) after = emit(node, after);
    return after;
  };
  const entry = emit(root, add({ op: 'found' }));
  steps[start] = { op: 'fork', to: entry, or: entry };
  return { steps, backwards };
}
