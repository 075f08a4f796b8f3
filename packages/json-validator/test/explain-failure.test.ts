// Where a mistake in a schema is, and how to correct it.
import type { SchemaObject } from '@ambit/json-schema';
import { expect, test } from 'vitest';
import { explainFailure, Validators } from '../src/index.ts';

function explain(schema: SchemaObject) {
  try {
    new Validators({}, { customOptions: { logger: false } }).compile(schema);
  } catch (cause) {
    return explainFailure({ schema, cause }, {});
  }
  throw new Error('the schema compiles');
}

for (const name of ['a', 'a/b', 'a~b', '50%']) {
  test(`a mistake below the property ${name} is explained by its value`, () => {
    expect(explain({ type: 'object', properties: { [name]: { type: 'int' } } })).toMatchObject({
      problem: "'int' is not a type",
      advice: "did you mean 'integer'?",
    });
  });
}
