// The shape of the house: imports point one way, and one file reads the environment.
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '..');
const files = globSync('src/**/*.ts', { cwd: root }).filter((file) => !/\.(test|cases)\.ts$/.test(file));
const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const importsOf = (file: string): string[] =>
  [...(sources.get(file) ?? '').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+\.ts)'/g)].map(([, path]) =>
    normalize(join(dirname(file), path as string)),
  );

/** The cycle that a walk from `file` runs into, if any. */
function findCycle(file: string, done: Set<string>, path: string[] = []): string[] | undefined {
  if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
  if (done.has(file)) return undefined;
  for (const next of importsOf(file)) {
    const cycle = findCycle(next, done, [...path, file]);
    if (cycle) return cycle;
  }
  done.add(file);
  return undefined;
}

test('no import leads back to where it came from', () => {
  const done = new Set<string>();
  for (const file of files) assert.equal(findCycle(file, done)?.join(' → '), undefined);
});

test('every import names a file that exists', () => {
  for (const file of files) {
    for (const imported of importsOf(file)) assert.ok(sources.has(imported), `${file} imports ${imported}`);
  }
});

/** From the ground up; a folder may import from its own line and from those above it in this list. */
const layers: readonly (readonly string[])[] = [
  ['platform'],
  ['config.ts'],
  ['metadata', 'store', 'log'],
  ['http'],
  ['filters'],
  ['projects', 'people', 'jobs'],
  ['capture'],
  ['pipeline'],
  [
    'operation',
    'start-page',
    'web',
    'events',
    'flags',
    'cohorts',
    'surveys',
    'exports',
    'query',
    'dashboards',
    'actions',
    'annotations',
  ],
  ['app.ts'],
  ['main.ts'],
  ['cli'],
];

const layerOf = (file: string) => {
  const [, top = ''] = file.split(sep);
  return layers.findIndex((names) => names.includes(top));
};

test('imports point from the features down to the platform', () => {
  for (const file of files) {
    assert.notEqual(layerOf(file), -1, `${file} is in no layer: add its folder to the list`);
    for (const imported of importsOf(file)) {
      assert.ok(layerOf(imported) <= layerOf(file), `${file} imports upstream: ${imported}`);
    }
  }
});

test('only config.ts reads the environment', () => {
  const readers = files.filter((file) => /process\s*\.\s*env\b|process\[['"]env/.test(sources.get(file) ?? ''));
  assert.deepEqual(readers, [join('src', 'config.ts')]);
});
