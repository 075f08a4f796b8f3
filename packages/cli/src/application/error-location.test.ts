import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { locationOfSyntaxError } from './application-failure.ts';

test('if types cannot be removed, the first line of the stack is the location', () => {
  const error = new SyntaxError('TypeScript enum is not supported in strip-only mode');
  const file = `${process.cwd()}/.cache/enum.ts`;
  error.stack = `${pathToFileURL(file)}:2\nenum A { x }\n^^^^^^^^^^^^\n\nSyntaxError: ${error.message}\n    at parse (node:internal:1:1)`;
  expect(locationOfSyntaxError(error, 'unused:')).toBe('.cache/enum.ts:2');
});
