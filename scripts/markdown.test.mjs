// Tests which parts of a Markdown page are code blocks, and which links are broken.
import { expect, test } from 'vitest';
import { findBrokenLinks, findFences } from './markdown.mjs';

const page = (...lines) => lines.join('\n');

function check(pages, others = []) {
  const files = new Set([...Object.keys(pages), ...others]);
  return findBrokenLinks(new Map(Object.entries(pages)), (path) => files.has(path));
}

test('a block is found with its info string and the line of its first line of code', () => {
  expect(findFences('a.md', page('# Title', '', '```js fragment', 'a;', 'b;', '```', 'text'))).toEqual([
    { info: 'js fragment', line: 4, code: 'a;\nb;\n' },
  ]);
});

test('of a block inside a list, only the indentation of the fence is removed; a longer fence can contain a shorter one', () => {
  const [inList] = findFences('a.md', page('- item', '  ```ts', '  if (a) {', '    b();', '  }', '  ```'));
  expect(inList.code).toBe('if (a) {\n  b();\n}\n');
  const fences = findFences('a.md', page('````text', '```js', 'a;', '```', '````'));
  expect(fences).toEqual([{ info: 'text', line: 2, code: '```js\na;\n```\n' }]);
});

test('a fence that is never closed throws an error with its location', () => {
  expect(() => findFences('a.md', page('', '```js', 'a;'))).toThrow('a.md:2');
});

test('a link to a missing file or heading is found, relative to the folder of its page', () => {
  const pages = {
    'docs/a.md': page('# A', '', 'See [b](b.md), [code](../src/a.ts), [a](#a), [c](../c.md#gone).'),
    'c.md': '# Other',
  };
  expect(check(pages, ['src/a.ts'])).toEqual([
    'docs/a.md:3: no file docs/b.md',
    'docs/a.md:3: no heading #gone in c.md',
  ]);
});

test.each([
  ['When it is stale', 'when-it-is-stale'],
  ['`compile`, and what it costs', 'compile-and-what-it-costs'],
  ['hoist: filling the parent', 'hoist-filling-the-parent'],
  ['A [link](b.md) in it', 'a-link-in-it'],
  ['A – B', 'a--b'],
])('the heading "%s" is linked as #%s, and a second one with -1', (heading, anchor) => {
  const text = page(`## ${heading}`, `## ${heading}`, `[x](#${anchor}) [y](#${anchor}-1) [z](#${anchor}-2)`);
  expect(check({ 'a.md': text, 'b.md': '' })).toEqual([`a.md:3: no heading #${anchor}-2 in a.md`]);
});

test('code, and links to other sites, are not checked, and code has no headings', () => {
  const text = page(
    '`[x](gone.md)` [site](https://example.org/#x) [mail](mailto:a@example.org) [y](#install)',
    '```sh',
    '# install',
    '[x](gone.md)',
    '```',
  );
  expect(check({ 'a.md': text })).toEqual(['a.md:1: no heading #install in a.md']);
});
