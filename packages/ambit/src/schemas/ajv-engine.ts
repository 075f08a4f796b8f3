/**
 * Ajv as a schema engine: decides which schemas are compiled at once and which at their first call, and links the validators of an
 * artifact.
 */
import { createRequire } from 'node:module';
import { contentKey, declaredDialect, defaultDialect } from '@ambit/json-schema';
import type { AnySchemaObject } from 'ajv';
import { lazyModule } from '../shared/lazy-module.ts';
import type {
  AjvOptions,
  SchemaDialect,
  SharedSchemas,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import type { AjvInstances } from './ajv-instances.ts';
import type { Artifact, SectionSettings } from './artifact.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engines.ts';
import { allSharedPassPrecheck, passesPrecheck, sharedPassPrecheck } from './schema-precheck.ts';
import { sharedFor } from './shared-references.ts';

const require = createRequire(import.meta.url);

// Most applications boot without compiling a schema.
const loadInstances = lazyModule<typeof import('./ajv-instances.ts')>(() => require('./ajv-instances.ts'));

/** The application's options, and those that the framework adds. */
export interface EngineOptions extends AjvOptions {
  /** Set if schemas may have the keyword for files. */
  readonly acceptsFiles?: true;
  /** Set if all values are text without types: branches are tried with conversion first. */
  readonly isText?: true;
  /** Set if Ajv rejects the words of OpenAPI, as in Fastify. */
  readonly rejectsOpenApi?: true;
}

export class AjvEngine implements SchemaEngine<ValidatorRequest, ValidatorFunction> {
  readonly settings: SectionSettings | undefined;
  readonly isShared: boolean = true;
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #artifact: Artifact | undefined;
  #ajv: AjvInstances | undefined;
  readonly #sharedByDialect = new Map<SchemaDialect, SharedSchemas | undefined>();

  constructor(shared: SharedSchemas, options: EngineOptions, artifact: Artifact | undefined) {
    this.#shared = shared;
    this.#options = options;
    this.#artifact = artifact;
    const { mode, customOptions, dialect = defaultDialect, acceptsFiles, isText, rejectsOpenApi } = options;
    this.settings = isSerializable(options)
      ? {
          part: 'validators',
          options: { mode, customOptions, dialect, acceptsFiles, isText, rejectsOpenApi },
          shared,
          isPlain: () => rejectsAsUsual(options) && allSharedPassPrecheck(shared, dialect, rejectsOpenApi),
        }
      : undefined;
  }

  /**
   * A schema is compiled at its first call only if Ajv is certain to compile it. Any other schema is compiled now, so that its error fails
   * boot.
   */
  compile(
    request: ValidatorRequest,
    content: string | undefined,
    mayWait: boolean,
  ): CompiledSchema<ValidatorFunction> {
    const { schema } = request;
    if (content === undefined || !mayWait || !this.#passesPrecheck(schema)) {
      return { run: this.#compileNow(schema, request), generate: undefined };
    }
    // Compiled from the text, because the application may change the object after boot.
    return makeLazyValidator(() => this.#compileNow(JSON.parse(content), request, true), content);
  }

  link(stored: unknown, _request: ValidatorRequest, content: string): CompiledSchema<ValidatorFunction> {
    return makeLazyValidator(() => this.#artifact!.link(stored) as ValidatorFunction, content);
  }

  #passesPrecheck(schema: unknown): boolean {
    const dialect = declaredDialect(schema) ?? this.#options.dialect ?? defaultDialect;
    const shared = this.#precheckedShared(dialect);
    return shared !== undefined && passesPrecheck(schema, shared, dialect, this.#options.rejectsOpenApi);
  }

  /** The shared schemas of a dialect; `undefined` unless Ajv is certain to compile all of them. */
  #precheckedShared(dialect: SchemaDialect): SharedSchemas | undefined {
    if (!this.#sharedByDialect.has(dialect)) {
      const shared = sharedFor(dialect, this.#shared);
      const isPrechecked =
        rejectsAsUsual(this.#options) && sharedPassPrecheck(shared, dialect, this.#options.rejectsOpenApi);
      this.#sharedByDialect.set(dialect, isPrechecked ? shared : undefined);
    }
    return this.#sharedByDialect.get(dialect);
  }

  #compileNow(
    schema: unknown,
    { method, url, httpPart }: ValidatorRequest,
    isChecked = false,
  ): ValidatorFunction {
    this.#ajv ??= new (loadInstances().AjvInstances)(this.#shared, this.#options);
    const place = `the ${httpPart} of ${method} ${url}`;
    return this.#ajv.compile(schema as AnySchemaObject | boolean, place, isChecked);
  }
}

/** What linked functions have in place of Ajv's environment. */
const noEnvironment = {};

/** Creates a validator that is compiled, or linked, at its first call. It has the properties that Ajv's own functions have. */
function makeLazyValidator(
  compileNow: () => ValidatorFunction & { schemaEnv?: object; schema?: unknown },
  content: string,
): CompiledSchema<ValidatorFunction> {
  let compiled: ReturnType<typeof compileNow> | undefined;
  let schema: unknown;
  const compile = (): ReturnType<typeof compileNow> => {
    compiled ??= compileNow();
    return compiled;
  };
  const readSchema = (): unknown => {
    schema ??= compile().schema ?? JSON.parse(content);
    return schema;
  };
  const run: ValidatorFunction = (data, dataContext) => (compiled ?? compile())(data, dataContext);
  Object.defineProperties(run, {
    errors: { get: () => compiled?.errors },
    // `runtime/validate.ts` recognizes Ajv's functions by this property: only they get the object that contains the data.
    schemaEnv: { get: () => compile().schemaEnv ?? noEnvironment },
    schema: { get: readSchema },
  });
  return { run, generate: () => void compile() };
}

/** Options that change the compiled validator, but neither which schemas Ajv rejects nor what it warns about. */
const harmlessOptions: ReadonlySet<string> = new Set([
  ...['coerceTypes', 'useDefaults', 'removeAdditional', 'allErrors', 'verbose', 'messages', 'ownProperties'],
]);

/** Whether Ajv with these options rejects the same schemas as Ajv with the options of the framework. */
function rejectsAsUsual(options: EngineOptions): boolean {
  const { mode, plugins = [], onCreate, customOptions = {}, acceptsFiles } = options;
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined || acceptsFiles) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

/** Whether text can express these options completely. Only then can an artifact contain what is compiled with them. */
function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
}
