/** The instances of Ajv for one set of shared schemas. */
import { declaredDialect, defaultDialect } from '@ambit/json-schema';
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { SchemaDialect, SharedSchemas, ValidatorFunction } from '../types/compilers.ts';
import { SchemaDialectMismatch } from '../types/errors.ts';
import { warnFormatUnknown } from '../types/warnings.ts';
import type { EngineOptions } from './ajv-config-checks.ts';
import { compileWith } from './compile-with-ajv.ts';
import { collectReferencedShared, haveDeclaredDialects, sharedFor } from './dialect.ts';
import { makeAjv } from './make-ajv.ts';
import { type ConversionParts, convertWhereInvalid } from './validation/conversion.ts';
import { skipDiscriminated } from './validation/openapi-keywords.ts';
import { writeTrials } from './validation/trials.ts';
import { TriedSchemas } from './validation/tried-schemas.ts';

const loadExplanations = lazyModule<typeof import('./explain-failure.ts')>(() =>
  require('./explain-failure.ts'),
);

/** The options of an Ajv that only tests values. The other Ajv has checked the schemas. */
const testing: Options = {
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  allErrors: false,
  validateSchema: false,
  strictSchema: false,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
};

type Compiled = ReturnType<Ajv['compile']>;

/** One instance for each dialect, created when the first schema of that dialect is compiled. */
export class AjvInstances {
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #code: Options['code'];
  readonly #byDialect = new Map<SchemaDialect, Ajv>();
  /** Instances that only test, for schemas in which branches are tried. */
  readonly #testing = new Map<SchemaDialect, Ajv>();
  readonly #tests = new WeakMap<object, Compiled>();
  readonly #tried: TriedSchemas;
  readonly #hasDeclaredDialects: boolean;
  /** The schema that is being compiled, and its name in warnings. */
  #schema: AnySchemaObject | boolean = true;
  #place = '';
  readonly #warned = new Set<string>();

  /** @param code Options of code generation. They override those of the application. */
  constructor(shared: SharedSchemas, options: EngineOptions, code?: Options['code']) {
    this.#shared = shared;
    this.#options = options;
    this.#code = code;
    this.#hasDeclaredDialects = haveDeclaredDialects(shared);
    this.#tried = new TriedSchemas(shared);
  }

  /**
   * @param place Names the schema in warnings.
   * @throws {SchemaAlreadyPresent} {SchemaReferenceReserved} {SchemaDialectMismatch} {SchemaTooLarge}
   */
  compile(schema: AnySchemaObject | boolean, place = 'a schema'): ValidatorFunction {
    this.#schema = schema;
    this.#place = place;
    const appDialect = this.#options.dialect ?? defaultDialect;
    const dialect = declaredDialect(schema) ?? appDialect;
    const ajv = this.#ajvOf(dialect);
    if (this.#hasDeclaredDialects || dialect !== appDialect)
      this.#checkReferenced(ajv, schema, dialect, appDialect);
    const convert = compileWith(ajv, schema, this.#shared, !this.#options.rejectsOpenApi) as Compiled;
    const { coerceTypes, removeAdditional, useDefaults } = ajv.opts;
    const converts = Boolean(coerceTypes || removeAdditional || useDefaults) && this.#options.mode !== 'JTD';
    if (!converts || typeof schema !== 'object' || schema.$async) return convert as ValidatorFunction;
    const { tries, hasDefault } = this.#tried.search(schema);
    if (!tries) return convert as ValidatorFunction;
    const changesValid = (hasDefault && Boolean(useDefaults)) || removeAdditional === 'all';
    const settings = { isText: this.#options.isText === true, changesValid };
    const test = this.#hasEffects ? undefined : this.#testOf(schema, dialect);
    return convertWhereInvalid({ convert, test, settings } as ConversionParts);
  }

  /** Whether keywords of the application may change values, too. */
  get #hasEffects(): boolean {
    const { plugins = [], onCreate, customOptions } = this.#options;
    return plugins.length > 0 || onCreate !== undefined || customOptions?.keywords !== undefined;
  }

  #testingAjv(dialect: SchemaDialect): Ajv {
    let ajv = this.#testing.get(dialect);
    if (ajv === undefined) {
      const options = { ...this.#options, customOptions: { ...this.#options.customOptions, ...testing } };
      ajv = makeAjv(sharedFor(dialect, this.#shared), options, dialect, { code: this.#code });
      this.#testing.set(dialect, ajv);
    }
    return ajv;
  }

  /** The function that only tests, for the schema of a route or a shared schema. */
  #testOf(schema: AnySchemaObject, dialect: SchemaDialect): Compiled {
    let test = this.#tests.get(schema);
    if (test === undefined) {
      const ajv = this.#testingAjv(dialect);
      const { $id } = schema as { $id?: unknown };
      const isShared = typeof $id === 'string' && this.#shared[$id] === schema;
      test = (
        isShared ? ajv.getSchema($id) : compileWith(ajv, schema, this.#shared, !this.#options.rejectsOpenApi)
      ) as Compiled;
      this.#tests.set(schema, test);
    }
    return test;
  }

  #ajvOf(dialect: SchemaDialect): Ajv {
    let ajv = this.#byDialect.get(dialect);
    if (ajv === undefined) {
      ajv = makeAjv(sharedFor(dialect, this.#shared), this.#options, dialect, {
        code: this.#code,
        onUnknownFormat: (format, schemaPath) => this.#warnOfFormat(format, schemaPath),
        onWarning: (text) => this.#warn(text),
      });
      writeTrials(ajv, {
        isText: this.#options.isText === true,
        hasEffects: this.#hasEffects,
        testOf: (document) => this.#testOf(document, dialect),
        testing: () => this.#testingAjv(dialect),
      });
      if (!this.#options.rejectsOpenApi && this.#options.mode !== 'JTD') skipDiscriminated(ajv, this.#shared);
      this.#byDialect.set(dialect, ajv);
    }
    return ajv;
  }

  #warnOfFormat(format: string, schemaPath: string): void {
    const isLocal = schemaPath.startsWith('#');
    const place = isLocal ? `${schemaPath} in ${this.#place}` : schemaPath;
    if (this.#isNew(JSON.stringify([format, place]))) warnFormatUnknown(format, place);
  }

  /** Ajv warns without the route, and of some mistakes without their path. */
  #warn(text: string): void {
    const failure = { schema: this.#schema, cause: { message: text } };
    const { schemaPath, sharedId } = loadExplanations().explainFailure(failure, this.#shared);
    const path = schemaPath !== undefined && !text.includes(`"${schemaPath}"`) && `at ${schemaPath}`;
    const place = [path, sharedId === undefined && `in ${this.#place}`].filter(Boolean).join(', ');
    const line = place === '' ? text : `${text} (${place})`;
    if (this.#isNew(line)) console.warn(line);
  }

  /** Warns once for a place: a shared schema may be compiled with each schema that refers to it. */
  #isNew(warning: string): boolean {
    return this.#warned.size !== this.#warned.add(warning).size;
  }

  /** A shared schema without `$schema` is read in the dialect of the schema that refers to it, so it must be valid in that dialect. */
  #checkReferenced(ajv: Ajv, schema: unknown, dialect: SchemaDialect, appDialect: SchemaDialect): void {
    for (const id of collectReferencedShared(schema, this.#shared, dialect)) {
      if (dialect === appDialect || ajv.validateSchema(this.#shared[id]!) === true) continue;
      const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
      throw new SchemaDialectMismatch(dialect, id, `which is not valid in it: ${reason}`);
    }
  }
}
