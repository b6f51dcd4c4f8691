import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readElementsChain } from '../pipeline/elements-chain.ts';
import { parseElementsChain } from './elements.ts';

test('a chain is read back into the elements that it was made of', () => {
  const chain = readElementsChain({
    $elements: [
      {
        tag_name: 'a',
        $el_text: 'Say "hi"; now',
        attr__class: 'btn md:flex',
        attr__href: '/x?a=1;b=2',
        attr__id: 'go',
        'attr__data-x': 'y',
        nth_child: 2,
        nth_of_type: 1,
      },
      { tag_name: 'div', nth_child: 1, nth_of_type: 1 },
    ],
  });
  const [link, box, ...rest] = parseElementsChain(chain);
  assert.deepEqual(rest, []);
  assert.deepEqual(link, {
    event: null,
    text: 'Say "hi"; now',
    tag_name: 'a',
    attr_class: ['btn', 'md:flex'],
    href: '/x?a=1;b=2',
    attr_id: 'go',
    nth_child: 2,
    nth_of_type: 1,
    attributes: { attr__class: 'btn md:flex', attr__href: '/x?a=1;b=2', attr__id: 'go', 'attr__data-x': 'y' },
    order: 0,
  });
  assert.deepEqual([box?.tag_name, box?.attr_class, box?.text, box?.order], ['div', null, null, 1]);
});

test('a chain that a client made up anyhow is read as far as it goes', () => {
  assert.deepEqual(parseElementsChain(''), []);
  assert.equal(parseElementsChain('a')[0]?.tag_name, 'a');
  assert.equal(parseElementsChain('a:')[0]?.tag_name, 'a');
  assert.equal(parseElementsChain('a.b:text="never closed')[0]?.tag_name, 'a');
  assert.equal(parseElementsChain('a:nth-child="many"')[0]?.nth_child, null);
  assert.equal(Object.getPrototypeOf(parseElementsChain('a:__proto__="x"')[0]?.attributes), Object.prototype);
});

test('a hostile chain takes no longer than its length', () => {
  for (const part of ['"', '\\', ';', ':', 'a="', '="', 'a:b', '\\"']) {
    const started = performance.now();
    parseElementsChain(part.repeat(100_000));
    assert.ok(performance.now() - started < 1_000, JSON.stringify(part));
  }
});
