/** Owns Ajv as a schema engine: which schemas it compiles at once, which wait for their first call, and how compiled ones are linked. */
import type { Ajv, AnySchemaObject } from 'ajv';
import type { AjvOptions, SharedSchemas, ValidatorFunction, ValidatorRequest } from '../contract/compiler.ts';
import type { Artifact, SectionSettings } from './artifact/artifact.ts';
import { compileWith, isSerializable, isStandardConfig, makeAjv } from './make-ajv.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engines.ts';
import type { StandardSchema } from './standard-schema.ts';
import { passesPrecheck, sharedPassPrecheck } from './validation/schema-precheck.ts';
import { validatorOf } from './validation/standard-schema-validator.ts';

export class AjvEngine implements SchemaEngine<ValidatorRequest, ValidatorFunction> {
  readonly settings: SectionSettings | undefined;
  readonly isShared: boolean = true;
  readonly #shared: SharedSchemas;
  readonly #options: AjvOptions;
  readonly #artifact: Artifact;
  /** Made on first use: what the artifact holds does not need it. */
  #ajv: Ajv | undefined;
  #isPredictable: boolean | undefined;

  constructor(shared: SharedSchemas, options: AjvOptions, artifact: Artifact) {
    this.#shared = shared;
    this.#options = options;
    this.#artifact = artifact;
    const { mode, customOptions } = options;
    this.settings = isSerializable(options)
      ? {
          part: 'validators',
          options: { mode, customOptions },
          shared,
          isStandardConfig: isStandardConfig(options),
        }
      : undefined;
  }

  /** A schema waits for its first call only if Ajv is certain to compile it; any other is compiled now, so that its error fails boot. */
  compile(
    { schema }: ValidatorRequest,
    content: string | undefined,
    mayWait: boolean,
  ): CompiledSchema<ValidatorFunction> {
    if (content === undefined || !mayWait || !this.#passesPrecheck(schema)) {
      return { run: this.#compileNow(schema), generate: undefined };
    }
    // The text, and not the object: what happens to the object after boot must not count.
    return makeLazyValidator(() => this.#compileNow(JSON.parse(content)));
  }

  link(stored: unknown, _request: ValidatorRequest, content: string): CompiledSchema<ValidatorFunction> {
    return makeLazyValidator(() => linkValidator(this.#artifact, stored as number, content));
  }

  adapt(schema: StandardSchema): ValidatorFunction {
    return validatorOf(schema);
  }

  #passesPrecheck(schema: unknown): boolean {
    this.#isPredictable ??= isStandardConfig(this.#options) && sharedPassPrecheck(this.#shared);
    return this.#isPredictable && passesPrecheck(schema, this.#shared);
  }

  #compileNow(schema: unknown): ValidatorFunction {
    this.#ajv ??= makeAjv(this.#shared, this.#options);
    return compileWith(this.#ajv, schema as AnySchemaObject | boolean, this.#shared);
  }
}

/** A validator that is compiled by its first call. */
function makeLazyValidator(compileNow: () => ValidatorFunction): CompiledSchema<ValidatorFunction> {
  let compiled: ValidatorFunction | undefined;
  const compile = (): ValidatorFunction => {
    compiled ??= compileNow();
    return compiled;
  };
  const run: ValidatorFunction = (data, dataContext) => (compiled ?? compile())(data, dataContext);
  Object.defineProperties(run, {
    errors: { get: () => compiled?.errors },
    // This tells Ajv's functions from those of other libraries: they are told where the data lives.
    schemaEnv: { get: () => (compile() as { schemaEnv?: object }).schemaEnv },
    schema: { get: () => (compile() as { schema?: unknown }).schema },
  });
  return { run, generate: () => void compile() };
}

/** The linked function, with the properties that Ajv's own functions have. */
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
