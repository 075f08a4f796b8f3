/** Returns the JSON Schema of a schema that a route declares: JSON Schema itself, the short form, or an object of another library. */
import {
  type DialectName,
  isPlainObject,
  type JsonType,
  jsonTypes,
  nearestDialect,
  type StandardSchema,
} from '@ambit/json-schema';
import { expandSchema } from 'ambit';
import { isObject, type Json } from '../json.ts';

/** The side of a schema: `input` for values that a client sends, `output` for values that it receives. */
export type Side = 'input' | 'output';

/** Converts a schema of another library to JSON Schema. Returns `undefined` if it cannot. */
export type DescribeSchema = (schema: unknown, side: Side) => object | boolean | undefined;

export interface PlainSchema {
  readonly schema: unknown;
  readonly dialect: DialectName;
  /** The side, if the schema comes from a library. */
  readonly side?: Side;
}

/** The dialects that are requested from libraries, in this order. */
const targets = ['draft-2020-12', 'draft-07'] as const;

/**
 * @param defaultDialect The dialect of schemas without `$schema`.
 * @throws {Error} whose message explains why the schema cannot be described.
 */
export function plainSchema(
  declared: unknown,
  side: Side,
  describe: DescribeSchema | undefined,
  defaultDialect: DialectName,
): PlainSchema {
  const schema = isFullSchema(declared) ? declared : expandSchema(declared);
  if (typeof schema === 'boolean') return { schema, dialect: defaultDialect };
  if (isPlainObject(schema) && !('~standard' in schema))
    return { schema, dialect: nearestDialect(schema, defaultDialect) };
  return fromLibrary(schema, side, describe);
}

/** The common case: the type shows that the schema is not a short form. */
export function isFullSchema(schema: unknown): boolean {
  if (!isPlainObject(schema) || '~standard' in schema) return false;
  return typeof schema.type === 'string' || typeof schema.$ref === 'string';
}

function fromLibrary(schema: unknown, side: Side, describe: DescribeSchema | undefined): PlainSchema {
  const described = describe?.(schema, side);
  if (described !== undefined) return { schema: described, dialect: nearestDialect(described, 'draft-07') };
  const {
    '~standard': standard,
    toJsonSchema,
    toJSONSchema,
  } = Object(schema) as Partial<StandardSchema> & Json;
  if (standard !== undefined) return fromStandard(standard, side);
  const convert = toJSONSchema ?? toJsonSchema;
  if (typeof convert === 'function') return withId(convert.call(schema) as Json);
  // Some schema builders create class instances whose members are JSON Schema.
  if (isObject(schema) && isSchemaLike(schema))
    return { schema: { ...schema }, dialect: nearestDialect(schema, 'draft-07') };
  throw new Error(
    'it is neither JSON Schema nor an object that can be converted to it; use the option `describe` to convert it',
  );
}

function fromStandard({ vendor, jsonSchema }: StandardSchema['~standard'], side: Side): PlainSchema {
  if (jsonSchema === undefined)
    throw new Error(`this schema of ${vendor} cannot be converted to JSON Schema; ${advice(vendor)}`);
  let failure: unknown;
  for (const target of targets) {
    try {
      return { ...withId(jsonSchema[side]({ target })), side };
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
function withId(schema: Json): PlainSchema {
  const { id, ...rest } = schema;
  const dialect = nearestDialect(schema, 'draft-07');
  return typeof id === 'string' && !('$id' in rest)
    ? { schema: { $id: id, ...rest }, dialect }
    : { schema, dialect };
}

/** The schemas of Joi and others also have a `type`, but it is not one of JSON Schema. */
function isSchemaLike(schema: Json): boolean {
  const { type, properties, $ref, anyOf } = schema;
  if (Object.values(schema).some((value) => typeof value === 'function')) return false;
  return jsonTypes.includes(String(type) as JsonType)
    ? type !== 'object' || properties === undefined || isObject(properties)
    : typeof $ref === 'string' || Array.isArray(anyOf);
}
