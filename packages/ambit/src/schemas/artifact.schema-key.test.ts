import { expect, test } from 'vitest';
import type { JsonSchema } from '../types/compilers.ts';
import { SchemaKeys } from './artifact.ts';

const text = { type: 'string' };
const user = { $id: 'user', type: 'object', properties: { pet: { $ref: 'pet#' } } };
const pet = { $id: 'pet', ...text };
const other = { $id: 'other', ...text };
const shared: Record<string, JsonSchema> = { user, pet, other };

function keyOf(schema: unknown, among = shared, settings = '', isPlain = true): string | undefined {
  const section = { part: 'validators', options: settings, shared: among, isPlain: () => isPlain } as const;
  return new SchemaKeys(section).keyOf(JSON.stringify(schema));
}

const byUser = { $ref: 'user#' };
const changedPet = { ...shared, pet: { ...pet, minLength: 1 } };
const changedOther = { ...shared, other: { ...other, minLength: 1 } };

test('equal content has an equal key', () => {
  expect(keyOf(byUser)).toBe(keyOf({ ...byUser }, { ...shared }));
  expect(keyOf(byUser)).toMatch(/^[\w-]{43}$/);
});

test('content and settings change the key', () => {
  expect(keyOf(text)).not.toBe(keyOf({ ...text, minLength: 1 }));
  expect(keyOf(text)).not.toBe(keyOf(text, shared, 'others'));
});

test('the schemas that a schema refers to count, over any number of references', () => {
  expect(keyOf(byUser)).not.toBe(keyOf(byUser, changedPet));
  expect(keyOf({ items: { $ref: 'pet#/definitions/x' } })).not.toBe(
    keyOf({ items: { $ref: 'pet#/definitions/x' } }, changedPet),
  );
});

test('schemas that a schema does not refer to do not count', () => {
  expect(keyOf(byUser)).toBe(keyOf(byUser, changedOther));
  expect(keyOf(text)).toBe(keyOf(text, {}));
  expect(keyOf({ $ref: '#/definitions/a' })).toBe(keyOf({ $ref: '#/definitions/a' }, changedOther));
});

test('shared schemas may refer to one another in a circle', () => {
  const circle = { a: { $id: 'a', $ref: 'b#' }, b: { $id: 'b', $ref: 'a#' } };
  expect(keyOf({ $ref: 'a#' }, circle)).toBe(keyOf({ $ref: 'a#' }, { ...circle, c: other }));
});

for (const [what, schema] of [
  ['a name of its own', { $id: 'mine', ...text }],
  ['a name inside', { properties: { a: { $id: 'other' } } }],
  ['a reference that is no name of a shared schema', { $ref: 'http://example.com/other' }],
  ['a name that every object has', { $ref: 'constructor#' }],
  ['an escaped reference', { $ref: 'oth"er' }],
  ['a schema of its own to follow', { $schema: 'other', ...text }],
  ['a dynamic reference', { $dynamicRef: '#x' }],
] as const) {
  test(`with ${what}, every shared schema counts`, () => {
    expect(keyOf(schema)).not.toBe(keyOf(schema, changedOther));
  });
}

test('if shared schemas are not certain to compile, each of them counts', () => {
  expect(keyOf(text, shared, '', false)).not.toBe(keyOf(text, changedOther, '', false));
});

test('the $schema of a known dialect adds nothing to the key', () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...text };
  expect(keyOf(schema)).toBe(keyOf(schema, changedOther));
});

test('the content of a string is not a reference', () => {
  const schema = { description: '{"$ref":"other","$id":"x"}' };
  expect(keyOf(schema)).toBe(keyOf(schema, changedOther));
});

test('there is no key if a referenced schema is not JSON', () => {
  const among = { user: { $id: 'user', check: () => true } };
  expect(keyOf(byUser, among)).toBeUndefined();
  expect(keyOf(text, among)).toBeDefined();
  expect(keyOf(text, among, '', false)).toBeUndefined();
});
