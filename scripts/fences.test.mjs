// Proves which parts of a Markdown page count as code blocks, and where they start.
import { expect, test } from 'vitest';
import { findFences } from './fences.mjs';

const page = (...lines) => lines.join('\n');

test('a block is found with its info string and the line of its first line of code', () => {
  expect(findFences('a.md', page('# Title', '', '```js fragment', 'a;', 'b;', '```', 'text'))).toEqual([
    { info: 'js fragment', line: 4, code: 'a;\nb;\n' },
  ]);
});

test('a block inside a list loses the indent of its fence only', () => {
  const [fence] = findFences('a.md', page('- item', '  ```ts', '  if (a) {', '    b();', '  }', '  ```'));
  expect(fence.code).toBe('if (a) {\n  b();\n}\n');
});

test('a longer fence holds a shorter one', () => {
  const fences = findFences('a.md', page('````text', '```js', 'a;', '```', '````'));
  expect(fences).toEqual([{ info: 'text', line: 2, code: '```js\na;\n```\n' }]);
});

test('a fence that is never closed is refused with its place', () => {
  expect(() => findFences('a.md', page('', '```js', 'a;'))).toThrow('a.md:2');
});
