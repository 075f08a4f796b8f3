/** The type of schemas: an object or a boolean. */

/** A JSON Schema object, draft 7 or 2020-12, with OpenAPI's `nullable`. Other keywords are allowed and ignored. */
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema. `true` accepts every value, `false` accepts none. */
export type JsonSchema = SchemaObject | boolean;

export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

export const jsonTypes: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
