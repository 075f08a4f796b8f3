// Tests which parts of a Markdown page are code blocks, and which links are broken.
import { expect, test } from 'vitest';
import { findBrokenLinks, findFences } from './markdown.mjs';

const page = (...lines) => lines.join('\n');

function check(pages) {
  const files = new Set([...Object.keys(pages), 'src/a.ts']);
  return findBrokenLinks(new Map(Object.entries(pages)), (path) => files.has(path));
}

test('a block is found with its info string and its first line; in a list, only the indentation of the fence is removed, and a longer fence can contain a shorter one', () => {
  const text = page(
    '- item',
    '',
    '  ```js fragment',
    '  if (a) {',
    '    b();',
    '  ```',
    '````text',
    '```',
    '````',
  );
  expect(findFences('a.md', text)).toEqual([
    { info: 'js fragment', line: 4, code: 'if (a) {\n  b();\n' },
    { info: 'text', line: 8, code: '```\n' },
  ]);
  expect(() => findFences('a.md', page('', '```js', 'a;'))).toThrow('a.md:2');
});

test('a link to a missing file or heading is found, relative to its page; code and links to other sites are not checked, and code has no headings', () => {
  const pages = {
    'docs/a.md': page(
      '# A',
      '',
      'See [b](b.md), [code](../src/a.ts), [a](#a), [c](../c.md#gone), [y](#code).',
    ),
    'c.md': page('`[x](gone.md)` [site](https://example.org/#x)', '```sh', '# code', '[x](gone.md)', '```'),
  };
  expect(check(pages)).toEqual([
    'docs/a.md:3: no file docs/b.md',
    'docs/a.md:3: no heading #gone in c.md',
    'docs/a.md:3: no heading #code in docs/a.md',
  ]);
});

test.each([
  ['`compile`, and what it costs', 'compile-and-what-it-costs'],
  ['A [link](b.md) in it', 'a-link-in-it'],
  ['A – B', 'a--b'],
])('the heading "%s" is linked as #%s, and a second one with -1', (heading, anchor) => {
  const text = page(`## ${heading}`, `## ${heading}`, `[x](#${anchor}) [y](#${anchor}-1) [z](#${anchor}-2)`);
  expect(check({ 'a.md': text, 'b.md': '' })).toEqual([`a.md:3: no heading #${anchor}-2 in a.md`]);
});
