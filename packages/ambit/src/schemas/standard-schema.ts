/** Standard Schema, version 1 (standardschema.dev): what schemas of other libraries have in common. */
import { isThenable } from '../shared/thenable.ts';

export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    /** The library: `zod`, `valibot`, `arktype`, … */
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult | PromiseLike<StandardResult>;
    /** For the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    /** Standard JSON Schema, version 1: there where the library can say what it accepts as JSON Schema. */
    readonly jsonSchema?: {
      readonly input: (options: { target: string }) => Record<string, unknown>;
      readonly output: (options: { target: string }) => Record<string, unknown>;
    };
  };
}

export type StandardResult =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  /** Keys from the outside in; some libraries wrap each in an object. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Objects and, since some libraries' schemas can be called, functions. */
export function isStandardSchema(schema: unknown): schema is StandardSchema {
  if ((typeof schema !== 'object' && typeof schema !== 'function') || schema === null) return false;
  const standard = (schema as Partial<StandardSchema>)['~standard'];
  return standard?.version === 1 && typeof standard.validate === 'function';
}

/** Where an issue is, as a JSON Pointer (RFC 6901). */
export function pointerOf({ path = [] }: StandardIssue): string {
  return path
    .map((step) => String(typeof step === 'object' ? step.key : step))
    .map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

/** Hands on a result at once where it is there, or when it comes. */
export function whenValidated<T>(
  result: StandardResult | PromiseLike<StandardResult>,
  read: (result: StandardResult) => T,
): T | PromiseLike<T> {
  return isThenable<StandardResult>(result) ? result.then(read) : read(result);
}
