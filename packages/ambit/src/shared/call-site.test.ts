import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { CallSite } from './call-site.ts';

const fileIn = (frame: string) => Object.assign(new CallSite(), { stack: `Error\n    at ${frame}` }).file;

test.each(['/app/server.mjs', '/mein ö#1 100%/server.mjs'])('the place of a call in %s is a path', (path) => {
  const { href } = pathToFileURL(path);
  for (const file of [path, href, `${href}?version=2`]) {
    expect(fileIn(`${file}:3:5`)).toBe(`${path}:3:5`);
    expect(fileIn(`start (${file}:3:5)`)).toBe(`${path}:3:5`);
  }
});

test('a URL that is not that of a file is not a place', () => {
  expect(fileIn('file:///a%2Fserver.mjs:3:5')).toBeUndefined();
});
