/** Paths of requests, from paths of routes and values of parameters. */
import { expect, test } from 'vitest';
import { fillPath } from './typed-calls.ts';

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
  ['/posts/:id?', { id: null }, '/posts'],
  ['/since/:date', { date: new Date(0) }, '/since/1970-01-01T00%3A00%3A00.000Z'],
  ['/big/:n', { n: 2n ** 64n }, '/big/18446744073709551616'],
  ['/users/:id', { id: '...' }, '/users/...'],
  ['/users/:id', { id: '%2e' }, '/users/%252e'],
  ['/users/:id', { id: '../a' }, '/users/..%2Fa'],
  ['/file/:name.png', { name: '.' }, '/file/..png'],
  ['/files/*', { '*': '.git/a..b/c.' }, '/files/.git/a..b/c.'],
] as const) {
  test(`${path} is ${filled}`, () => {
    expect(fillPath(path, values)).toBe(filled);
  });
}

for (const value of [undefined, null, '']) {
  test(`a parameter must not be ${JSON.stringify(value)}`, () => {
    expect(() => fillPath('/users/:id', { id: value })).toThrow("no value for 'id' of /users/:id");
  });
}

for (const [path, values] of [
  ['/users/:id', { id: '.' }],
  ['/users/:id', { id: '..' }],
  ['/users/:id/posts', { id: '..' }],
  ['/posts/:id?', { id: '..' }],
  ['/near/:lat.:lng?', { lat: '.' }],
  ['/hidden/.:name', { name: '.' }],
  ['/files/*', { '*': '..' }],
  ['/files/*', { '*': 'a/../../b' }],
  ['/files/*', { '*': './a' }],
  ['/files/*', { '*': 'a/.' }],
] as const) {
  test(`a path must not leave its route: ${path} with '${Object.values(values)}'`, () => {
    expect(() => fillPath(path, values)).toThrow(`leads to another path than ${path}`);
  });
}

for (const value of [{}, [], [1, 2], () => 1, /a/]) {
  test(`a parameter must have a text form: ${value}`, () => {
    expect(() => fillPath('/users/:id', { id: value })).toThrow("the value of 'id' has no text form");
  });
}
