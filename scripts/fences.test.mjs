// Tests which parts of a Markdown page are code blocks, and where they start.
import { expect, test } from 'vitest';
import { findFences } from './fences.mjs';

const page = (...lines) => lines.join('\n');

test('a block is found with its info string and the line of its first line of code', () => {
  expect(findFences('a.md', page('# Title', '', '```js fragment', 'a;', 'b;', '```', 'text'))).toEqual([
    { info: 'js fragment', line: 4, code: 'a;\nb;\n' },
  ]);
});

test('only the indentation of the fence is removed from a block inside a list', () => {
  const [fence] = findFences('a.md', page('- item', '  ```ts', '  if (a) {', '    b();', '  }', '  ```'));
  expect(fence.code).toBe('if (a) {\n  b();\n}\n');
});

test('a longer fence can contain a shorter one', () => {
  const fences = findFences('a.md', page('````text', '```js', 'a;', '```', '````'));
  expect(fences).toEqual([{ info: 'text', line: 2, code: '```js\na;\n```\n' }]);
});

test('a fence that is never closed throws an error with its location', () => {
  expect(() => findFences('a.md', page('', '```js', 'a;'))).toThrow('a.md:2');
});
