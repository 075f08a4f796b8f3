import type { JsonSchema } from '@ambit/json-schema';
import { expect, test } from 'vitest';
import { makeWriter } from '../compile.ts';
import { javaScriptCore, pickStrategy } from '../engine.ts';
import { runtimeFor } from '../runtime/runtime.ts';
import type { Serializer } from '../serializer.ts';
import { readShape } from '../shape/read-shape.ts';

const engines = ['11.3', '12.4', '13.6', '13.8', javaScriptCore];

/** The code that `compile` generates for the schema on another engine. */
function compileFor(v8Version: string, schema: JsonSchema): Serializer {
  return makeWriter(readShape(schema, {}).shape, pickStrategy(v8Version), runtimeFor('trunc'), true);
}

for (const engine of engines) {
  test(`a shape that native code of ${engine} never writes is not written by it through a cycle either`, () => {
    const write = compileFor(engine, {
      type: 'object',
      properties: {
        child: { type: 'object', properties: { parent: { $ref: '#' }, any: {} } },
        name: { type: 'string' },
      },
    });
    const inner = { child: { any: { list: [1] } }, name: '"' };
    const value = { child: { parent: inner, any: 1 }, name: 'x' };
    expect(write(value)).toBe(JSON.stringify(value));
  });

  test(`types that all refer to one another compile quickly for ${engine}`, () => {
    const names = Array.from({ length: 12 }, (_, index) => `type${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/definitions/${name}` }]));
    const write = compileFor(engine, {
      $ref: '#/definitions/type0',
      definitions: Object.fromEntries(names.map((name) => [name, { type: 'object', properties }])),
    });
    expect(write({ type3: { type1: {} } })).toBe('{"type3":{"type1":{}}}');
  });
}
