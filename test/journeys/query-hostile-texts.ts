// Texts of HogQL that ask for too much, made up by chance: each kind in many forms and sizes.
import type { Random } from '../random.ts';

type Make = (random: Random) => string;

/** From a few to as many as nobody would write by hand; most often something in between. */
const size = (random: Random, max: number): number => Math.ceil(max ** random.next());

const numbers = (name: string, count: number) => `(select arrayJoin(range(${count})) as ${name})`;
const nested = (open: string, inner: string, close: string, depth: number) =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;

function crossJoin(random: Random): string {
  const names = ['a', 'b', 'c', 'd'].slice(0, 2 + random.int(3));
  const tables = names.map((name) => `${numbers(name, size(random, 50_000))} ${name}${name}`);
  return `select count() from ${tables.join(' cross join ')} where cityHash64(${names.join(', ')}) = 1`;
}

function memory(random: Random): string {
  const many = size(random, 1_000_000);
  return random.pick([
    `select groupArray(range(${many})) from events e cross join events f cross join events g`,
    `select length(arrayMap(x -> repeat('x', ${many}), range(${many})))`,
    `select groupUniqArray(a) from ${numbers('a', many)} x cross join ${numbers('b', many)} y`,
    `select arraySort(arrayFlatten(arrayMap(x -> range(x), range(${many}))))`,
  ]);
}

function endlessWindow(random: Random): string {
  const frame = random.pick([
    'rows between unbounded preceding and unbounded following',
    'rows unbounded preceding',
    '',
  ]);
  const rows = `${numbers('a', size(random, 50_000))} x cross join ${numbers('b', size(random, 5_000))} y`;
  return `select max(n) from (select ${random.pick(['sum(a)', 'groupArray(a)', 'count()'])} over (order by a ${frame}) as n from ${rows})`;
}

function longText(random: Random): string {
  const many = 1_000_000 - random.int(950_000);
  return random.pick([
    `select '${'x'.repeat(many)}'`,
    `select ${'x'.repeat(many)}`,
    `select 1 ${' '.repeat(many)}`,
    `select 1 /* ${'*'.repeat(many)}`,
    `select [${'1,'.repeat(many / 2)}1]`,
    `select * from events where event in (${"'a',".repeat(many / 4)}'b')`,
  ]);
}

function deepText(random: Random): string {
  const depth = size(random, 20_000);
  return random.pick([
    `select ${nested('(', '1', ')', depth)}`,
    `select ${nested('[', '1', ']', depth)}`,
    `select ${nested('toString(', '1', ')', depth)}`,
    `select ${nested('not ', 'true', '', depth)}`,
    `select ${nested('- ', '1', '', depth)}`,
    `select ${nested('case when true then ', '1', ' end', depth)}`,
    `select ${nested('arrayMap(x -> ', '1', ', [1])', depth)}`,
    nested('select * from (', 'select 1', ')', depth),
    `select ${nested('(select ', '1', ')', depth)}`,
    `select ${'('.repeat(depth)}`,
  ]);
}

function longChain(random: Random): string {
  const link = random.pick(['+1', ' and true', ' or event = 1', " || 'x'", ' ? 1 : 1', '.1', '::String']);
  return `select 1${link.repeat(size(random, 30_000))}`;
}

function doubling(random: Random): string {
  const steps = Array.from({ length: 2 + random.int(25) }, (_, n) =>
    random.chance(0.5)
      ? `a${n + 1} as (select l.x from a${n} l cross join a${n} r)`
      : `a${n + 1} as (select x from a${n} union all select x from a${n})`,
  );
  return `with a0 as (select 1 as x), ${steps.join(', ')} select * from a${steps.length}`;
}

function pattern(random: Random): string {
  const many = size(random, 2_000);
  const written = random.pick([
    nested('(', 'a*', ')*', many),
    `(a|aa){${many}}`,
    '('.repeat(many),
    'a?'.repeat(many) + 'a'.repeat(many),
  ]);
  return `select count() from events where match(repeat('a', ${many}), '${written}')`;
}

/** By name; every kind has forms that end by each of the limits, and some that are small enough to be answered. */
export const hostileTexts: Readonly<Record<string, Make>> = {
  'cross joins': crossJoin,
  memory,
  'endless windows': endlessWindow,
  'texts of up to 1 MB': longText,
  'deep nesting': deepText,
  'long chains': longChain,
  'names that double': doubling,
  patterns: pattern,
};
