import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CallSite } from './call-site.ts';

const fileIn = (frame: string) => Object.assign(new CallSite(), { stack: `Error\n    at ${frame}` }).file;

test.each(['/app/server.mjs', '/mein ö#1 100%/server.mjs', '/my app (copy)/server.mjs'])(
  'the place of a call in %s is a path',
  (path) => {
    const { href } = pathToFileURL(path);
    for (const file of [path, href, `${href}?version=2`]) {
      expect(fileIn(`${file}:3:5`)).toBe(`${path}:3:5`);
      expect(fileIn(`start (${file}:3:5)`)).toBe(`${path}:3:5`);
    }
  },
);

test('a URL that is not that of a file is not a place', () => {
  expect(fileIn('file:///a%2Fserver.mjs:3:5')).toBeUndefined();
});

test.each([
  'eval (eval at run (/app/a.js:1:2), <anonymous>:1:1)',
  'Array.map (<anonymous>)',
  'node:internal/main:1:2',
  'async Promise.all (index 0)',
])('%s is not a place', (frame) => {
  expect(fileIn(frame)).toBeUndefined();
});

test('a renamed method, a function after an await and a path of Windows have places', () => {
  expect(fileIn('Object.run [as go] (/app/a.js:1:2)')).toBe('/app/a.js:1:2');
  expect(fileIn('async /app/a.js:1:2')).toBe('/app/a.js:1:2');
  expect(fileIn('run (C:\\app (x86)\\a.js:1:2)')).toBe('C:\\app (x86)\\a.js:1:2');
});
