// With the mode `JTD`, schemas are type definitions (RFC 8927), in which words of OpenAPI have no meaning.
import { expect, test } from 'vitest';
import { Validators } from '../src/index.ts';

for (const definition of [{ enum: ['a'] }, { ref: 'a' }, { properties: {} }, { type: 'string' }]) {
  test(`${JSON.stringify(definition)} accepts null only if it is nullable`, () => {
    const validators = new Validators({}, { mode: 'JTD' });
    const definitions = { a: { enum: ['a'] } };
    expect(validators.compile({ definitions, ...definition, nullable: true })(null)).toBe(true);
    expect(validators.compile({ definitions, ...definition })(null)).toBe(false);
  });
}
