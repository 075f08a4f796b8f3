/** What a schema is: an object or a boolean. Also the equality of schemas, and the error of one that is invalid. */

/** A JSON Schema object, draft 7 or 2020-12, with OpenAPI's `nullable`. Other keywords are allowed and ignored. */
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** A JSON Schema. `true` accepts every value, `false` accepts none. */
export type JsonSchema = SchemaObject | boolean;

/** Schemas that others may refer to, by name. */
export type SharedSchemas = Readonly<Record<string, unknown>>;

/** All names of types. */
export const jsonTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

/** The name of a type in schemas. */
export type JsonType = (typeof jsonTypes)[number];

/** The dialects that are supported: JSON Schema draft 7 and draft 2020-12. */
export type DialectName = 'draft-07' | '2020-12';

/** The schema, or what it refers to, is invalid. */
export class SchemaError extends Error {
  /** JSON Pointer (RFC 6901) of the fault inside the schema; empty for its root. */
  readonly schemaPath: string;

  /**
   * @param message What is wrong with the schema.
   * @param schemaPath JSON Pointer of the fault inside the schema.
   */
  constructor(message: string, schemaPath: string) {
    super(`${message} (in the schema, at ${schemaPath === '' ? 'its root' : schemaPath})`);
    this.name = 'SchemaError';
    this.schemaPath = schemaPath;
  }
}

/** Whether a value is an object and no list. @param value The value. */
export function isSchemaObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an object literal, and no instance of a class: those belong to other libraries. @param value The value. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isSchemaObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Whether two JSON values are equal, as `const`, `enum` and `uniqueItems` compare them.
 *
 * @param left One value.
 * @param right The other value.
 */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}
