/** Schemas of other libraries: Standard Schema, version 1 (standardschema.dev), and the builders of fluent-json-schema. */
import { joinPointer } from './pointer.ts';

/** A schema of a library that follows Standard Schema. */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The version of the specification, the library, and the function that validates. */
  readonly '~standard': {
    readonly version: 1;
    /** The library: `zod`, `valibot`, `arktype`, … */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>;
    /** Read by the type checker only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema, version 1: present if the library can describe the schema as JSON Schema. */
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>;
      readonly output: (options: { target: string }) => Record<string, unknown>;
    };
  };
}

/** The result of `validate` of a Standard Schema: the value, or the issues with it. */
export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong. */
  readonly message: string;
  /** Keys from the root to the value; some libraries wrap each key in an object. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * Whether a value follows Standard Schema. It may be a function, because the schemas of some libraries can be called.
 *
 * @param schema The value.
 */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard = (schema as Partial<StandardSchema>)['~standard'];
  return standard?.version === 1 && typeof standard.validate === 'function';
}

/** Returns the location of an issue as a JSON Pointer (RFC 6901). @param issue The issue. */
export function pointerOfIssue(issue: StandardIssue): string {
  const { path = [] } = issue;
  return path.map((step) => String(typeof step === 'object' ? step.key : step)).reduce(joinPointer, '');
}

/**
 * The JSON Schema of a schema; `{}` if it cannot be described as JSON Schema.
 *
 * @param schema The schema.
 * @param side Whether values are validated (`input`), or what validation returns (`output`).
 */
export function toJsonSchema(schema: StandardSchema, side: 'input' | 'output'): object {
  try {
    const { $schema, ...described } = schema['~standard'].jsonSchema?.[side]({ target: 'draft-07' }) ?? {};
    return described;
  } catch {
    // Libraries throw if JSON Schema cannot express a schema, such as a date or a transform.
    return {};
  }
}

const fluentMarker = Symbol.for('fluent-schema-object');

/** Returns the JSON Schema in a builder object of fluent-json-schema. Any other value is returned as it is. @param schema The value. */
export function plainSchema(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  const marks = schema as Record<string | symbol, unknown>;
  return marks.isFluentSchema || marks.isFluentJSONSchema || marks[fluentMarker] ? schema.valueOf() : schema;
}
