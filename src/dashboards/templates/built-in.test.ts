import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInTemplates, DEFAULT_APP, findBuiltIn } from './built-in.ts';
import { fillPlaceholders } from './fill.ts';
import { DashboardTemplate, parseTemplate } from './wire.ts';

test('names and ids of the built-in templates are their own', () => {
  assert.ok(builtInTemplates.length >= 6);
  for (const field of ['id', 'template_name'] as const) {
    assert.equal(new Set(builtInTemplates.map((template) => template[field])).size, builtInTemplates.length);
  }
});

test('DEFAULT_APP asks six questions, two beside each other', () => {
  const { tiles } = findBuiltIn(DEFAULT_APP)!;
  assert.deepEqual(
    tiles.map(({ name, color }) => [name, color]),
    [
      ['Daily active users (DAUs)', 'blue'],
      ['Weekly active users (WAUs)', 'green'],
      ['Retention', 'blue'],
      ['Growth accounting', 'purple'],
      ['Referring domain (last 14 days)', 'black'],
      ['Pageview funnel, by browser', 'green'],
    ],
  );
  const places = tiles.map(({ layouts }) => (layouts as { sm: { x: number; y: number } }).sm);
  assert.deepEqual(
    places.map(({ x, y }) => [x, y]),
    [
      [0, 0],
      [6, 0],
      [0, 5],
      [6, 5],
      [0, 10],
      [6, 10],
    ],
  );
});

for (const template of builtInTemplates) {
  test(`the template ${template.template_name} is one that its own API takes, and leaves no place open`, () => {
    assert.deepEqual(DashboardTemplate.parse(template), template);
    assert.equal(parseTemplate({ ...template }).tiles.length, template.tiles.length);
    const text = JSON.stringify(template.tiles);
    for (const { id } of template.variables) assert.ok(text.includes(`"{${id}}"`), `${id} is used`);
    assert.doesNotMatch(JSON.stringify(fillPlaceholders(template.tiles, template.variables)), /"\{\w+\}"/);
  });
}
