/** Standard Schemas, of other libraries: as validators, as serializers, and described in JSON Schema. */
import {
  isStandardSchema,
  pointerOfIssue,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  toJsonSchema,
} from '@ambit/json-schema';
import { isPlainObject, isThenable } from '../shared/values.ts';
import type {
  SerializerFunction,
  ValidationProblem,
  ValidationResult,
  ValidatorFunction,
} from '../types/compilers.ts';
import { ResponseInvalid, ResponseSchemaAsync } from '../types/errors.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { writeJson } from './write-json.ts';

/** A route may use such validators for some parts, and JSON Schema for others. */
export function validatorOf(schema: StandardSchema): ValidatorFunction {
  const { vendor } = schema['~standard'];
  const read = (result: StandardResult): ValidationResult =>
    result.issues === undefined
      ? { value: result.value }
      : { error: result.issues.map((issue) => problemOf(issue, vendor)) };
  const validate = (data: unknown): ValidationResult | PromiseLike<ValidationResult> => {
    const result = schema['~standard'].validate(data);
    return isThenable<StandardResult>(result) ? result.then(read) : read(result);
  };
  return Object.assign(validate, { takesUndefined: true as const });
}

/** Converts an issue to a problem with the fields of an Ajv error, so that formatters and error handlers do not depend on the library. */
function problemOf(issue: StandardIssue, vendor: string): ValidationProblem {
  const instancePath = pointerOfIssue(issue);
  return { keyword: vendor, instancePath, schemaPath: '#', params: { issue }, message: issue.message };
}

/** @returns A serializer that throws {ResponseInvalid} for a value that the schema rejects. */
export function serializerOf(schema: StandardSchema): SerializerFunction {
  return (value) => {
    const result = schema['~standard'].validate(value);
    if (isThenable(result)) throw new ResponseSchemaAsync(schema['~standard'].vendor);
    if (result.issues !== undefined) {
      const problems = result.issues.map((issue) => `response${pointerOfIssue(issue)} ${issue.message}`);
      throw new ResponseInvalid(problems.join(', '));
    }
    // A transform may return undefined, which JSON can only express as null.
    return writeJson(result.value) ?? 'null';
  };
}

/** See `index.ts`. */
export function describeSchemas({ response, ...parts }: RouteSchema): RouteSchema {
  const described = mapValues(parts, (part) => describe(part, 'input'));
  if (response === undefined) return described;
  return { ...described, response: mapValues(response, (part) => describe(part, 'output')) };
}

/** One schema, or a `content` map of them. Each media type has a schema of the whole content, one of the items of a stream, or both. */
function describe(part: unknown, side: 'input' | 'output'): unknown {
  if (isStandardSchema(part)) return toJsonSchema(part, side);
  if (!isPlainObject(part) || !isPlainObject(part.content)) return part;
  const content = mapValues(part.content, (entry) => {
    const { schema, itemSchema } = Object(entry) as { schema?: unknown; itemSchema?: unknown };
    const described = Object.entries({ schema, itemSchema }).flatMap(([name, declared]) =>
      isStandardSchema(declared) ? [[name, toJsonSchema(declared, side)]] : [],
    );
    return described.length === 0 ? entry : { ...Object(entry), ...Object.fromEntries(described) };
  });
  return { ...part, content };
}

function mapValues(object: object, map: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
