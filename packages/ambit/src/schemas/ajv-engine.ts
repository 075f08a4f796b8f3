/**
 * Ajv as a schema engine: decides which schemas are compiled at once and which at their first call, and links the validators of an
 * artifact.
 */
import { declaredDialect, defaultDialect, type StandardSchema } from '@ambit/json-schema';
import type { AnySchemaObject } from 'ajv';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type {
  SchemaDialect,
  SharedSchemas,
  ValidatorFunction,
  ValidatorRequest,
} from '../types/compilers.ts';
import { type EngineOptions, isSerializable, isStandardConfig } from './ajv-config-checks.ts';
import type { AjvInstances } from './ajv-instances.ts';
import type { Artifact, SectionSettings } from './artifact/artifact.ts';
import { dialectsIn, sharedFor } from './dialect.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engine.ts';
import { passesPrecheck, sharedPassPrecheck } from './validation/schema-precheck.ts';
import { validatorOf } from './validation/standard-schema-validator.ts';

// Most applications boot without compiling a schema.
const loadInstances = lazyModule<typeof import('./ajv-instances.ts')>(() => require('./ajv-instances.ts'));

export class AjvEngine implements SchemaEngine<ValidatorRequest, ValidatorFunction> {
  readonly settings: SectionSettings | undefined;
  readonly isShared: boolean = true;
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #artifact: Artifact;
  #ajv: AjvInstances | undefined;
  readonly #sharedByDialect = new Map<SchemaDialect, SharedSchemas | undefined>();

  constructor(shared: SharedSchemas, options: EngineOptions, artifact: Artifact) {
    this.#shared = shared;
    this.#options = options;
    this.#artifact = artifact;
    const { mode, customOptions, dialect = defaultDialect, acceptsFiles, isText, rejectsOpenApi } = options;
    this.settings = isSerializable(options)
      ? {
          part: 'validators',
          options: { mode, customOptions, dialect, acceptsFiles, isText, rejectsOpenApi },
          shared,
          isPlain: () =>
            [...dialectsIn(shared, dialect)].every((each) => this.#precheckedShared(each) !== undefined),
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
    return makeLazyValidator(() => this.#compileNow(JSON.parse(content), request));
  }

  link(stored: unknown, _request: ValidatorRequest, content: string): CompiledSchema<ValidatorFunction> {
    return makeLazyValidator(() => linkValidator(this.#artifact, stored as number, content));
  }

  adapt(schema: StandardSchema): ValidatorFunction {
    return validatorOf(schema);
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
        isStandardConfig(this.#options) && sharedPassPrecheck(shared, dialect, this.#options.rejectsOpenApi);
      this.#sharedByDialect.set(dialect, isPrechecked ? shared : undefined);
    }
    return this.#sharedByDialect.get(dialect);
  }

  #compileNow(schema: unknown, { method, url, httpPart }: ValidatorRequest): ValidatorFunction {
    this.#ajv ??= new (loadInstances().AjvInstances)(this.#shared, this.#options);
    return this.#ajv.compile(schema as AnySchemaObject | boolean, `the ${httpPart} of ${method} ${url}`);
  }
}

/** Creates a validator that is compiled at its first call. */
function makeLazyValidator(compileNow: () => ValidatorFunction): CompiledSchema<ValidatorFunction> {
  let compiled: ValidatorFunction | undefined;
  const compile = (): ValidatorFunction => {
    compiled ??= compileNow();
    return compiled;
  };
  const run: ValidatorFunction = (data, dataContext) => (compiled ?? compile())(data, dataContext);
  Object.defineProperties(run, {
    errors: { get: () => compiled?.errors },
    // `validate-request.ts` recognizes Ajv's functions by this property: only they get the object that contains the data.
    schemaEnv: { get: () => (compile() as { schemaEnv?: object }).schemaEnv },
    schema: { get: () => (compile() as { schema?: unknown }).schema },
  });
  return { run, generate: () => void compile() };
}

/** Links a function of the artifact, and gives it the properties that Ajv's own functions have. */
function linkValidator({ modules }: Artifact, module: number, content: string): ValidatorFunction {
  const validator = modules.link(module) as ValidatorFunction;
  let schema: unknown;
  return Object.defineProperties(validator, {
    schemaEnv: { value: {}, configurable: true },
    schema: {
      configurable: true,
      get: () => {
        schema ??= JSON.parse(content);
        return schema;
      },
    },
  });
}
