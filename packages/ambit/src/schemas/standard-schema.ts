/** Standard Schema, version 1 (standardschema.dev): the interface that the schemas of other libraries share. */
import { isThenable } from '../shared/thenable.ts';

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

/** Whether a value follows Standard Schema. It may be a function, because the schemas of some libraries can be called. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard = (schema as Partial<StandardSchema>)['~standard'];
  return standard?.version === 1 && typeof standard.validate === 'function';
}

/** Returns the location of an issue as a JSON Pointer (RFC 6901). */
export function pointerOf({ path = [] }: StandardIssue): string {
  return path
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Reads a result now, or when its promise resolves. */
export function whenValidated<T>(
  result: StandardResult | PromiseLike<StandardResult>,
  read: (result: StandardResult) => T,
): T | PromiseLike<T> {
  return isThenable<StandardResult>(result) ? result.then(read) : read(result);
}
