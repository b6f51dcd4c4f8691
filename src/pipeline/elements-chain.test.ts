import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../capture/exact-json.ts';
import { readElementsChain } from './elements-chain.ts';

const cases: { name: string; properties: JsonObject; chain: string }[] = [
  {
    name: 'a link in a box',
    properties: {
      $elements: [
        {
          tag_name: 'a',
          $el_text: 'Sign up',
          attr__href: '/signup',
          attr__class: 'btn btn-sm',
          nth_child: 1,
          nth_of_type: 2,
        },
        { tag_name: 'div', attr__id: 'nav', nth_child: 3, nth_of_type: 1 },
      ],
    },
    chain:
      'a.btn.btn-sm:attr__class="btn btn-sm"attr__href="/signup"href="/signup"nth-child="1"nth-of-type="2"text="Sign up"' +
      ';div:attr__id="nav"attr_id="nav"nth-child="3"nth-of-type="1"',
  },
  {
    name: 'a chain the client made',
    properties: { $elements_chain: 'a:nth-child="1"', $elements: [{ tag_name: 'b' }] },
    chain: 'a:nth-child="1"',
  },
  { name: 'no elements', properties: {}, chain: '' },
  {
    name: 'elements of wrong types',
    properties: { $elements: [null, 5, 'a', { tag_name: 'p' }] },
    chain: 'p:nth-child="0"nth-of-type="0"',
  },
  { name: 'something else than elements', properties: { $elements: 'a' }, chain: '' },
  {
    name: 'quotes, and classes in any order',
    properties: { $elements: [{ tag_name: 'b', attr__class: '  z "a"  m ', $el_text: 'say "hi"' }] },
    chain: 'b.a.m.z:attr__class="  z \\"a\\"  m "nth-child="0"nth-of-type="0"text="say \\"hi\\""',
  },
  {
    name: 'a long text',
    properties: { $elements: [{ tag_name: 'b', $el_text: 'x'.repeat(500) }] },
    chain: `b:nth-child="0"nth-of-type="0"text="${'x'.repeat(400)}"`,
  },
];
for (const { name, properties, chain } of cases) {
  test(`${name}`, () => assert.equal(readElementsChain(properties), chain));
}
