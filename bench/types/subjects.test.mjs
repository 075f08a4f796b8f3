// Proves that the type-checked programs are equivalent, and that each contains the mistakes that prove its types.
import { expect, test } from 'vitest';
import { ambitSubjectLike, subjects, writeProgram } from './subjects.mjs';

const count = (/** @type {string} */ text, /** @type {string} */ part) => text.split(part).length - 1;

for (const name of Object.keys(subjects)) {
  test(`${name}: the program has the requested number of routes, and each reads three parts and has two responses`, () => {
    const program = writeProgram(name, 3);
    expect(count(program, ".post('/route")).toBe(3);
    expect(count(program, 'body.address.street')).toBe(3);
    expect(count(program, '{ message2: body.name2 }')).toBe(1);
    expect(program).not.toContain('@ts-expect-error');
  });

  test(`${name}: each route of the probe has a mistake in each part and in each response`, () => {
    expect(count(writeProgram(name, 2, true), '// @ts-expect-error')).toBe(2 * 6);
  });
}

test('routes do not share schemas', () => {
  const [first, second] = writeProgram('ambit', 2).split('app.post(').slice(1);
  expect(second).not.toBe(first);
  expect(second.replaceAll('1', '0')).toBe(first.replaceAll('1', '0'));
});

test('chained routes are one statement, and are compared with chained routes of Ambit', () => {
  expect(count(writeProgram('hono-chained', 5), ';\nexport')).toBe(1);
  expect(ambitSubjectLike('hono-chained')).toBe('ambit-chained');
  expect(ambitSubjectLike('hono')).toBe('ambit');
});
