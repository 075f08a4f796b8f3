import {
  dialectNamed,
  findReference,
  type Part,
  Registry,
  SchemaError,
  type SchemaObject,
} from '@ambit/json-schema';
import { describe, expect, test } from 'vitest';

const inner = { $id: '#named', title: 'inner' };
const shared = { $id: 'shared', title: 'shared', definitions: { inner, '50%': { title: 'percent' } } };
const list = {
  $id: 'http://host/notes/list.json',
  title: 'list',
  properties: { note: { $ref: 'note.json' } },
};
const note = { $id: 'http://host/notes/note.json', title: 'note', $anchor: 'top' };
const refs = { shared, list, note, 'folder/a': { title: 'a' }, 'folder/b': { $id: 'folder/b', title: 'b' } };

function titleOf(target: Part | boolean | undefined): unknown {
  return (target as Part).schema.title;
}

describe('a reference', () => {
  const root = {
    title: 'root',
    properties: { 'a/b': { title: 'property' } },
    $defs: {
      anchored: { $anchor: 'here', title: 'anchored' },
      nested: { $id: 'http://host/notes/nested.json', title: 'nested', $defs: { deep: { title: 'deep' } } },
    },
  };
  const registry = new Registry(refs, dialectNamed('2020-12')).extend();
  const part = registry.addRoot(root);

  for (const [reference, title] of [
    ['#', 'root'],
    ['#/properties/a~1b', 'property'],
    ['#/properties/a%7E1b', 'property'],
    ['#here', 'anchored'],
    ['http://host/notes/nested.json', 'nested'],
    ['http://host/notes/nested.json#/$defs/deep', 'deep'],
    ['shared', 'shared'],
    ['shared#', 'shared'],
    ['shared#named', 'inner'],
    ['shared#/definitions/50%25', 'percent'],
    ['shared#/definitions/50%', 'percent'],
    ['http://host/notes/note.json#top', 'note'],
  ] as const) {
    test(`${reference} leads to its target`, () => {
      expect(titleOf(registry.find(reference, part))).toBe(title);
    });
  }

  test('is resolved against the closest $id, also if this is a path without a host', () => {
    expect(titleOf(registry.find('note.json', registry.find('list', part) as Part))).toBe('note');
    expect(titleOf(registry.find('a', registry.find('folder/b', part) as Part))).toBe('a');
  });

  test('without a target is an error that names its place', () => {
    const $ref = { $ref: '#/missing' };
    const child = registry.child(part, $ref, 'properties', 'x');
    expect(registry.find('#/missing', part)).toBeUndefined();
    expect(() => registry.resolve(child)).toThrow(
      new SchemaError('Cannot find reference "#/missing"', '/properties/x/$ref'),
    );
  });

  test('leads to the same part, whichever form it has', () => {
    const forms = ['http://host/notes/nested.json#/$defs/deep', '#/$defs/nested/$defs/deep'];
    const [first, second] = forms.map((form) => registry.find(form, part));
    expect(first).toBe(second);
  });
});

test('a dynamic reference leads to the outermost schema with its anchor', () => {
  const tree: SchemaObject = {
    $id: 'http://host/tree',
    $dynamicAnchor: 'node',
    title: 'tree',
    items: { $dynamicRef: '#node' },
  };
  const strict = { $id: 'http://host/strict', $dynamicAnchor: 'node', title: 'strict', $ref: 'tree' };
  const registry = new Registry({ tree }, dialectNamed('2020-12')).extend();
  const through = registry.resolve(registry.addRoot(strict)) as Part;
  expect(titleOf(through)).toBe('tree');
  const itemsOf = (part: Part) => registry.child(part, tree.items as SchemaObject, 'items');
  expect(titleOf(registry.resolve(itemsOf(through), '$dynamicRef'))).toBe('strict');
  const alone = registry.find('http://host/tree', registry.addRoot({})) as Part;
  expect(titleOf(registry.resolve(itemsOf(alone), '$dynamicRef'))).toBe('tree');
});

test('what looks like a schema in data has no name', () => {
  const root = {
    examples: [{ $id: 'http://host/x' }],
    example: { $anchor: 'x' },
    properties: { enum: { $anchor: 'y' } },
  };
  const registry = new Registry({}, dialectNamed('2020-12'));
  const part = registry.addRoot(root);
  expect(registry.find('http://host/x', part)).toBeUndefined();
  expect(registry.find('#x', part)).toBeUndefined();
  expect(registry.find('#y', part)).toBeDefined();
});

test('two different schemas with one name are an error', () => {
  const root = { $defs: { a: { $anchor: 'x' }, b: { $anchor: 'x', type: 'null' } } };
  expect(() => new Registry({}, dialectNamed('2020-12')).addRoot(root)).toThrow(
    'two schemas have the name "#x"',
  );
  expect(() => new Registry({ a: { $id: 'b' }, b: { type: 'null' } }, dialectNamed('draft-07'))).toThrow(
    'two schemas have the name "b"',
  );
});

test('a search for a reference finds it at any depth', () => {
  const schema = { allOf: [{ properties: { a: { $ref: 'shared#' }, b: { $ref: '#/definitions/b' } } }] };
  expect(findReference(schema, (reference) => !reference.startsWith('#'))).toBe('shared#');
  expect(findReference(schema, (reference) => reference === 'other')).toBeUndefined();
  expect(findReference(true, () => true)).toBeUndefined();
});
