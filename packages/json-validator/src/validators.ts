/** The validators of one set of shared schemas: which schemas are compiled at once, and which can wait for their first value. */
import { createRequire } from 'node:module';
import type { JsonSchema } from '@ambit/json-schema';
import type { AjvCompiler } from './ajv-compiler.ts';
import { findTried } from './conversion.ts';
import type { SharedSchemas, Validator, ValidatorOptions } from './options.ts';
import { SchemaPrecheck } from './schema-precheck.ts';

const require = createRequire(import.meta.url);

/** Compiles schemas with one set of options and of shared schemas. Ajv is loaded with the first schema that is compiled. */
export class Validators {
  readonly #shared: SharedSchemas;
  readonly #options: ValidatorOptions;
  #compiler: AjvCompiler | undefined;
  readonly #precheck: SchemaPrecheck | undefined;

  /**
   * @param shared The schemas that others may refer to, by `$id`.
   * @param options What Ajv does.
   */
  constructor(shared: SharedSchemas = {}, options: ValidatorOptions = {}) {
    this.#shared = shared;
    this.#options = options;
    this.#precheck = rejectsAsUsual(options) ? new SchemaPrecheck(shared, options) : undefined;
  }

  /**
   * Compiles a schema now.
   *
   * @param schema The schema.
   * @param place Names the schema in warnings.
   * @throws {SchemaRefused} or the error of Ajv.
   */
  compile(schema: JsonSchema, place?: string): Validator {
    return this.#compileNow(schema, place, false);
  }

  /**
   * Returns a validator that is compiled with its first value; `undefined` unless the schema is certain to compile without an error and
   * without a warning. Then it must be compiled now, so that its fault is known now.
   *
   * @param schema The schema.
   * @param text The schema as JSON text. It is compiled from the text, because the object may change before the first value.
   * @param place Names the schema in warnings.
   */
  compileLater(schema: unknown, text: string, place?: string): WaitingValidator | undefined {
    if (!this.#precheck?.passes(schema)) return undefined;
    return waitingValidator(() => this.#compileNow(JSON.parse(text), place, true), text);
  }

  /** Whether all shared schemas are certain to compile, and refer to one another only by their full names. */
  sharedAreCertain(): boolean {
    return this.#precheck?.sharedPass() ?? false;
  }

  /**
   * Whether a schema, or one that it refers to, has branches that are tried, such as those of `anyOf`, and whose result a conversion can
   * change. For any other schema, the option `isText` makes no difference.
   *
   * @param schema The schema.
   */
  triesBranches(schema: unknown): boolean {
    return findTried(schema, this.#shared).tries;
  }

  #compileNow(schema: JsonSchema, place: string | undefined, isCertain: boolean): Validator {
    if (this.#compiler === undefined) {
      const { AjvCompiler } = require('./ajv-compiler.ts') as typeof import('./ajv-compiler.ts');
      this.#compiler = new AjvCompiler(this.#shared, this.#options);
    }
    return this.#compiler.compile(schema, place, isCertain);
  }
}

/** A validator that is compiled, or linked, with its first value. */
export interface WaitingValidator {
  /** The validator. */
  readonly run: Validator;
  /** Compiles it now. */
  readonly generate: () => void;
}

/** What linked functions have in place of Ajv's environment. */
const noEnvironment = {};

/**
 * Creates a validator that is compiled, or linked, with its first value. It has the properties that Ajv's own functions have.
 *
 * @param compileNow Returns the validator.
 * @param text The schema as JSON text.
 */
export function waitingValidator(compileNow: () => Validator, text: string): WaitingValidator {
  let compiled: (Validator & { schemaEnv?: object; schema?: unknown }) | undefined;
  let schema: unknown;
  const compile = (): NonNullable<typeof compiled> => {
    compiled ??= compileNow();
    return compiled;
  };
  const readSchema = (): unknown => {
    schema ??= compile().schema ?? JSON.parse(text);
    return schema;
  };
  const run: Validator = (data, dataContext) => (compiled ?? compile())(data, dataContext);
  Object.defineProperties(run, {
    errors: { get: () => compiled?.errors },
    findProblems: { get: () => compiled?.findProblems },
    // Callers recognize Ajv's functions by this property: only they get the object that contains the data.
    schemaEnv: { get: () => compile().schemaEnv ?? noEnvironment },
    schema: { get: readSchema },
  });
  return { run, generate: () => void compile() };
}

/** Options that change the compiled validator, but neither which schemas Ajv rejects nor what it warns about. */
const harmlessOptions: ReadonlySet<string> = new Set([
  ...['coerceTypes', 'useDefaults', 'removeAdditional', 'allErrors', 'verbose', 'messages', 'ownProperties'],
]);

/** Whether Ajv with these options rejects the same schemas as Ajv with the options of this package. */
function rejectsAsUsual({
  mode,
  plugins = [],
  onCreate,
  addKeywords,
  customOptions = {},
}: ValidatorOptions): boolean {
  const decisive = [mode, onCreate, addKeywords];
  if (plugins.length > 0 || decisive.some((option) => option !== undefined)) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}
