/** Paths of requests, from paths of routes and values of parameters. */
import { expect, test } from 'vitest';
import { fillPath } from './fill-path.ts';

for (const [path, values, filled] of [
  ['/', {}, '/'],
  ['/users/:id', { id: 1 }, '/users/1'],
  ['/users/:id/:tab', { id: 'a/b', tab: 'ü' }, '/users/a%2Fb/%C3%BC'],
  ['/at/:hour(^\\d+)h:minute(^\\d+)m', { hour: 1, minute: 2 }, '/at/1h2m'],
  ['/near/:lat-:lng', { lat: 1, lng: 2 }, '/near/1-2'],
  ['/file/:name.png', { name: 'a' }, '/file/a.png'],
  ['/posts/:id?', {}, '/posts'],
  ['/posts/:id?', { id: 3 }, '/posts/3'],
  ['/:id?', {}, '/'],
  ['/name::verb', {}, '/name:verb'],
  ['/files/*', { '*': 'a/b c' }, '/files/a/b%20c'],
  ['/:id(^(a|b\\))$)/end', { id: 'a' }, '/a/end'],
] as const) {
  test(`${path} with ${JSON.stringify(values)} is ${filled}`, () => {
    expect(fillPath(path, values)).toBe(filled);
  });
}

for (const value of [undefined, null, '']) {
  test(`a parameter must not be ${JSON.stringify(value)}`, () => {
    expect(() => fillPath('/users/:id', { id: value })).toThrow("no value for 'id' of /users/:id");
  });
}
