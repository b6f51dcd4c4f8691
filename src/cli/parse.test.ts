import assert from 'node:assert/strict';
import { test } from 'node:test';
import { command } from './command.ts';
import { loadCommands } from './commands.ts';
import { CliError } from './exit.ts';
import { parse } from './parse.ts';

const commands = await loadCommands();

const sample = [
  command({ name: 'serve', summary: 'Serve.', run: async () => undefined }),
  command({
    name: 'tool make',
    summary: 'Make a tool.',
    takes: [{ name: 'name', about: 'What it is called.' }],
    options: {
      colour: { type: 'text', value: 'colour', about: 'Its colour.', required: true },
      tag: { type: 'text', many: true, about: 'A tag.' },
      note: { type: 'text', about: 'A note.' },
      sharp: { type: 'flag', about: 'Make it sharp.' },
    },
    run: async () => undefined,
  }),
  command({ name: 'tool list', summary: 'List the tools.', run: async () => undefined }),
];

const run = (line: string) => {
  const parsed = parse(line.split(' '), sample);
  assert.equal(parsed.kind, 'run');
  return parsed;
};

test('options are filled in by their declaration, wherever they stand', () => {
  const { command, given, options, json } = run('tool make --tag a axe --colour=red --json --tag=b --sharp');

  assert.equal(command.name, 'tool make');
  assert.deepEqual(given, ['axe']);
  assert.deepEqual(options, { colour: 'red', tag: ['a', 'b'], note: undefined, sharp: true });
  assert.equal(json, true);
});

test('absent options are undefined, empty or false', () => {
  assert.deepEqual(run('tool make axe --colour red').options, {
    colour: 'red',
    tag: [],
    note: undefined,
    sharp: false,
  });
});

test('after -- everything is an argument', () => {
  assert.deepEqual(run('tool make --colour red -- --odd').given, ['--odd']);
});

test('a value that starts with a dash is given with =', () => {
  assert.equal(run('tool make axe --colour=-red').options.colour, '-red');
});

const topics: [string, string[]][] = [
  ['--help', []],
  ['-h', []],
  ['help', []],
  ['serve --help', ['serve']],
  ['help serve', ['serve']],
  ['tool --help', ['tool']],
  ['help tool', ['tool']],
  ['help tool make', ['tool', 'make']],
  ['tool make --help', ['tool', 'make']],
  ['tool make axe --colour --help', ['tool', 'make']],
];

for (const [line, words] of topics) {
  test(`"tenrec ${line}" shows help on ${words.join(' ') || 'everything'}`, () => {
    assert.deepEqual(parse(line.split(' '), sample), { kind: 'help', words });
  });
}

test('"tenrec" alone shows help, and --version the version', () => {
  assert.deepEqual(parse([], sample), { kind: 'help', words: [] });
  assert.deepEqual(parse(['--version'], sample), { kind: 'version' });
});

const mistakes: [string, string][] = [
  ['sevre', '"sevre" is not a command; did you mean serve?'],
  ['help sevre', '"sevre" is not a command; did you mean serve?'],
  ['sevre --help', '"sevre" is not a command; did you mean serve?'],
  ['frobnicate', '"frobnicate" is not a command; there are: serve, tool, help.'],
  ['tool', 'tenrec tool needs one of: make, list. See: tenrec tool --help'],
  ['tool --json', 'tenrec tool needs one of: make, list. See: tenrec tool --help'],
  ['tool mkae axe', '"mkae" is not a command of tenrec tool; did you mean make?'],
  ['--json serve', 'tenrec begins with a command, not with --json; options follow it. See: tenrec --help'],
  ['serve --jsno', 'tenrec serve has no option --jsno; did you mean --json?'],
  ['serve --xyz', 'tenrec serve has no option --xyz; it takes: --help, --json.'],
  ['serve -x', 'tenrec serve has no option -x; it takes: --help, --json.'],
  ['serve --json=yes', '--json takes no value; leave out =yes.'],
  ['serve now', 'tenrec serve has no use for "now". See: tenrec serve --help'],
  ['tool make --colour red', 'tenrec tool make needs <name>: What it is called.'],
  ['tool make axe', 'tenrec tool make needs --colour <colour>: Its colour.'],
  ['tool make axe --colour', '--colour needs a value: --colour=<colour>'],
  ['tool make axe --colour --sharp', '--colour needs a value: --colour=<colour>'],
  ['tool make axe --colour=', '--colour needs a value: --colour=<colour>'],
  ['tool make axe --colour red --colour blue', '--colour was given twice; give it once.'],
  ['serve --toString', 'tenrec serve has no option --toString; it takes: --help, --json.'],
];

for (const [line, message] of mistakes) {
  test(`"tenrec ${line}" is refused as wrong usage, in one line`, () => {
    assert.throws(
      () => parse(line.split(' '), sample),
      (error) => {
        assert.ok(error instanceof CliError);
        assert.equal(error.message, message);
        assert.equal(error.exit, 2);
        return true;
      },
    );
  });
}

test('no command hides another, and none takes an option that all commands have', () => {
  const names = commands.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, options } of commands) {
    assert.ok(!commands.some((other) => name.startsWith(`${other.name} `)), name);
    assert.ok(!('help' in options || 'json' in options), name);
  }
});
