// Tests which links of a Markdown page are broken.
import { expect, test } from 'vitest';
import { findBrokenLinks } from './links.mjs';

const page = (...lines) => lines.join('\n');

/** Returns the broken links of these pages. `others` are files that are not pages. */
function check(pages, others = []) {
  const files = new Set([...Object.keys(pages), ...others]);
  return findBrokenLinks(new Map(Object.entries(pages)), (path) => files.has(path));
}

test('a link to a missing file is found with its page and line', () => {
  expect(check({ 'docs/a.md': page('# A', '', 'See [b](b.md).') })).toEqual([
    'docs/a.md:3: no file docs/b.md',
  ]);
});

test('a link is relative to the folder of its page', () => {
  expect(check({ 'docs/guide/a.md': '[code](../../src/a.ts)' }, ['src/a.ts'])).toEqual([]);
});

test('a link to a missing heading is found', () => {
  expect(
    check({ 'a.md': page('# Title', '', '[here](#title) [there](b.md#gone)'), 'b.md': '# Other' }),
  ).toEqual(['a.md:3: no heading #gone in b.md']);
});

for (const [heading, anchor] of [
  ['When it is stale', 'when-it-is-stale'],
  ['`compile`, and what it costs', 'compile-and-what-it-costs'],
  ['hoist: filling the parent', 'hoist-filling-the-parent'],
  ['A [link](b.md) in it', 'a-link-in-it'],
  ['A – B', 'a--b'],
]) {
  test(`the heading "${heading}" is linked as #${anchor}`, () => {
    expect(check({ 'a.md': page(`## ${heading}`, `[x](#${anchor})`), 'b.md': '' })).toEqual([]);
  });
}

test('the second of two equal headings is linked with -1', () => {
  expect(
    check({ 'a.md': page('## Figures', '## Figures', '[x](#figures) [y](#figures-1) [z](#figures-2)') }),
  ).toEqual(['a.md:3: no heading #figures-2 in a.md']);
});

test('code, and links to other sites, are not checked', () => {
  const text = page(
    '`[x](gone.md)` [site](https://example.org/#x) [mail](mailto:a@example.org)',
    '```js',
    '# a',
    '[x](gone.md)',
    '```',
  );
  expect(check({ 'a.md': text })).toEqual([]);
});

test('a line in a code block that looks like a heading is not a heading', () => {
  expect(check({ 'a.md': page('```sh', '# install', '```', '[x](#install)') })).toEqual([
    'a.md:4: no heading #install in a.md',
  ]);
});
