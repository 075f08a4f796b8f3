// Which names in a schema are taken for misspelled keywords, and which for annotations.
import { expect, test } from 'vitest';
import { misspelledKeyword } from '../src/index.ts';

/** Knows two pairs of names, so that the test shows what is asked. */
const nearestName = (name: string, known: Iterable<string>): string | undefined => {
  const nearest = { propertys: 'properties', typ: 'type', note: 'not', itens: 'items' }[name];
  return nearest !== undefined && [...known].includes(nearest) ? nearest : undefined;
};
const find = (schema: unknown): string | undefined => misspelledKeyword(schema, nearestName);

const itself: Record<string, unknown> = { type: 'object' };
itself.properties = { itself };

test.each<[string, unknown, string | undefined]>([
  ['at the top', { propertys: {} }, 'propertys'],
  ['in a property', { properties: { a: { typ: 'string' } } }, 'typ'],
  ['in an item of a list', { anyOf: [{}, { itens: {} }] }, 'itens'],
  ['in a definition', { $defs: { a: { typ: 1 } } }, 'typ'],
  ['not the name of a property', { properties: { typ: {}, propertys: {} } }, undefined],
  ['not inside an annotation', { 'x-form': { typ: 1 }, unknown: { typ: 1 } }, undefined],
  ['not inside data', { const: { typ: 1 }, default: { typ: 1 }, enum: [{ typ: 1 }] }, undefined],
  ['not a word that is like a short keyword', { note: 'for readers' }, undefined],
  ['not a keyword of OpenAPI', { example: 1, xml: {}, nullable: true, discriminator: {} }, undefined],
  ['not in a keyword of OpenAPI that is no schema', { discriminator: { typ: 'kind' } }, undefined],
  [
    'not in a schema of another library',
    { typ: 'x', '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } },
    undefined,
  ],
  ['not in a schema that contains itself', itself, undefined],
  ['not in what is no schema', 'text', undefined],
])('%s', (_place, schema, expected) => {
  expect(find(schema)).toBe(expected);
  // The second time, the answer is the same.
  expect(find(schema)).toBe(expected);
});
