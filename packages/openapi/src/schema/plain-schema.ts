/** Returns the JSON Schema of a schema that a route declares: JSON Schema itself, the short form, or an object of another library. */
import { expandSchema } from 'ambit';
import { isObject, isPlainObject, type Json } from '../json.ts';
import { type Dialect, dialectOf } from './keywords.ts';

/** The side of a schema: the input is what a client may send, the output is what it gets. */
export type Side = 'input' | 'output';

/** Says in JSON Schema what a schema of another library says; `undefined` when it cannot. */
export type DescribeSchema = (schema: unknown, side: Side) => object | boolean | undefined;

export interface PlainSchema {
  readonly schema: unknown;
  readonly dialect: Dialect;
  /** Of a library's schema: its side. */
  readonly side?: Side;
}

interface SpeakingSchema {
  readonly '~standard': {
    readonly vendor: string;
    readonly jsonSchema?: { readonly [side in Side]: (options: { target: string }) => Json };
  };
}

/** The dialects that libraries are asked for, in this order. */
const targets = ['draft-2020-12', 'draft-07'] as const;

/**
 * @param own The dialect of schemas without `$schema`.
 * @throws {Error} whose message explains why the schema cannot be described.
 */
export function plainSchema(
  given: unknown,
  side: Side,
  describe: DescribeSchema | undefined,
  own: Dialect,
): PlainSchema {
  const schema = isFullSchema(given) ? given : expandSchema(given);
  if (typeof schema === 'boolean') return { schema, dialect: own };
  if (isPlainObject(schema) && !('~standard' in schema)) return { schema, dialect: dialectOf(schema, own) };
  return fromLibrary(schema, side, describe);
}

/** The common case: the type shows that the schema is not a short form. */
export function isFullSchema(schema: unknown): boolean {
  if (!isPlainObject(schema) || '~standard' in schema) return false;
  return typeof schema.type === 'string' || typeof schema.$ref === 'string';
}

function fromLibrary(schema: unknown, side: Side, describe: DescribeSchema | undefined): PlainSchema {
  const told = describe?.(schema, side);
  if (told !== undefined) return { schema: told, dialect: dialectOf(told, 'draft-07') };
  if (typeof schema === 'object' || typeof schema === 'function') {
    const { '~standard': standard } = (schema ?? {}) as Partial<SpeakingSchema>;
    if (standard !== undefined) return fromStandard(standard, side);
    const { toJsonSchema, toJSONSchema } = (schema ?? {}) as { [name: string]: unknown };
    const convert = toJSONSchema ?? toJsonSchema;
    if (typeof convert === 'function') return named(convert.call(schema) as Json);
    // A class instance that is still JSON, as some builders create it.
    if (isObject(schema) && isSchemaLike(schema))
      return { schema: { ...schema }, dialect: dialectOf(schema, 'draft-07') };
  }
  throw new Error(
    'it is neither JSON Schema nor an object that can be converted to it; use the option `describe` to convert it',
  );
}

function fromStandard({ vendor, jsonSchema }: SpeakingSchema['~standard'], side: Side): PlainSchema {
  if (jsonSchema === undefined)
    throw new Error(`this schema of ${vendor} cannot be converted to JSON Schema; ${advice(vendor)}`);
  let failure: unknown;
  for (const target of targets) {
    try {
      return { ...named(jsonSchema[side]({ target })), side };
    } catch (error) {
      failure ??= error;
    }
  }
  const reason = failure instanceof Error ? failure.message : String(failure);
  throw new Error(`${vendor}: ${reason}; use the option \`describe\` to convert it`, {
    cause: failure,
  });
}

function advice(vendor: string): string {
  return vendor === 'valibot'
    ? 'wrap it in `toStandardJsonSchema` of @valibot/to-json-schema, or use the option `describe`'
    : 'use the option `describe` to convert it';
}

/** Zod writes the name of a schema as `id`. */
function named(schema: Json): PlainSchema {
  const { id, ...rest } = schema;
  const dialect = dialectOf(schema, 'draft-07');
  return typeof id === 'string' && !('$id' in rest)
    ? { schema: { $id: id, ...rest }, dialect }
    : { schema, dialect };
}

/** The schemas of Joi and others also have a `type`, but it is not one of JSON Schema. */
function isSchemaLike(schema: Json): boolean {
  const { type, properties, $ref, anyOf } = schema;
  if (Object.values(schema).some((value) => typeof value === 'function')) return false;
  return ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'].includes(String(type))
    ? type !== 'object' || properties === undefined || isObject(properties)
    : typeof $ref === 'string' || Array.isArray(anyOf);
}
