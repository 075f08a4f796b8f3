/** The options, and the types of validators. */
import type { DialectName, SchemaObject } from '@ambit/json-schema';
import type { SchemaRefused } from './errors.ts';

/** The shared schemas, by `$id`. */
export type SharedSchemas = { readonly [id: string]: SchemaObject };

/** One problem in the form of the default engine, Ajv. Other engines may leave out members. */
export interface ValidationProblem {
  /** The keyword of the schema that the value violates: `required`. */
  keyword: string;
  /** JSON Pointer of the offending value inside the part (RFC 6901); empty for the part itself. */
  instancePath: string;
  /** JSON Pointer of that keyword inside the schema. */
  schemaPath: string;
  /** Details of the keyword: `{ missingProperty: 'name' }`. */
  params: Record<string, unknown>;
  /** What is wrong: `must have required property 'name'`. */
  message?: string;
}

/** Validates a value, and converts it in place. A schema with `$async` returns a promise. */
export interface Validator {
  // Ajv's functions take a second argument: the object that contains the data, so that they can replace the data as a whole.
  /**
   * Validates a value.
   * @param data The value. It may be changed in place: coerced, and with defaults.
   * @param dataContext `{ parentData, parentDataProperty }` of the value: with it, a value that is no object is converted, too.
   */
  (data: unknown, dataContext?: never): boolean | PromiseLike<unknown>;
  /** Problems of the last call that returned `false`. */
  errors?: ValidationProblem[] | null | undefined;
  /** With `reportsAll`: returns all problems of the value of the last call, which returned `false`. @param data That value. */
  findProblems?: ((data: unknown) => ValidationProblem[]) | undefined;
}

/** Options of the default validator engine, Ajv 8 (specification 5.6). */
export interface AjvOptions {
  /** Merged over the baseline of specification 5.6. */
  customOptions?: Record<string, unknown>;
  /** Ajv plugins, each alone or with its options; or modules whose default export is one. */
  plugins?: (
    | AjvPlugin
    | { default: AjvPlugin }
    | readonly [AjvPlugin | { default: AjvPlugin }, ...unknown[]]
  )[];
  /** Called with each new engine. */
  onCreate?: (ajv: unknown) => void;
  /** `'JTD'` for JSON Type Definition schemas (RFC 8927). */
  mode?: 'JTD';
  /** The dialect of schemas that have no `$schema`, for validation and serialization; default `'draft-07'`. */
  dialect?: DialectName;
}

// Plugins are typed against Ajv's own class, which is not part of our interface. So the type accepts any function.
/** A plugin of Ajv: it adds keywords or formats to an instance of Ajv. */
export type AjvPlugin = (ajv: never, options?: never) => unknown;

/** The options of the validators of one set of shared schemas. */
export interface ValidatorOptions extends AjvOptions {
  /** Whether all values are text without types, such as query strings: branches are tried with conversion first. */
  readonly isText?: boolean | undefined;
  /** Whether Ajv refuses the words of OpenAPI, such as `nullable` without a type, and unknown formats. */
  readonly rejectsOpenApi?: boolean | undefined;
  /**
   * Whether all problems of a value are reported, for developers; at most 50, and those that are found within 100 ms. Values are converted,
   * and the first problem is the same, as without. No effect with `mode`, plugins, `onCreate`, or own keywords, formats or `allErrors`.
   */
  readonly reportsAll?: boolean | undefined;
  /** Called with each new engine after `onCreate`, to add keywords that never change a value. */
  readonly addKeywords?: ((ajv: never) => void) | undefined;
  /** Called with each format that is ignored because it is unknown, and where it is. Default: nothing is said. */
  readonly onUnknownFormat?: ((format: string, place: string) => void) | undefined;
  /** Replaces a refusal by an error of the caller. */
  readonly makeError?: ((refused: SchemaRefused) => unknown) | undefined;
}
