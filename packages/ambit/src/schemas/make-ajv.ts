/** Makes Ajv instances: the baseline options (specification 5.6), the application's options and plugins, and the shared schemas. */
import { isDeepStrictEqual } from 'node:util';
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type { SchemaDialect, SharedSchemas, ValidatorFunction } from '../contract/compiler.ts';
import { SchemaAlreadyPresent, SchemaDialectMismatch, SchemaTooLarge } from '../contract/errors.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { EngineOptions } from './ajv-options.ts';
import { areMarked, defaultDialect, markedDialect, reachShared, sharedFor } from './dialect.ts';
import { addFileKeyword } from './validation/file-keyword.ts';
import { checkNesting, writeInSegments } from './validation/nested-code.ts';
import { checkReferences } from './validation/reserved-names.ts';

const loadAjv = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv'));
const loadAjv2020 = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv/dist/2020'));
const loadJtd = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv/dist/jtd'));
const loadFormats = lazyModule<{ default: (ajv: Ajv) => unknown }>(() => require('ajv-formats'));
const loadUriResolver = lazyModule<NonNullable<Options['uriResolver']>>(() => require('fast-uri'));

type AnyAjvPlugin = (ajv: Ajv, options?: unknown) => unknown;

/** The baseline of specification 5.6. */
function baselineOptions(): Options {
  return {
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    uriResolver: loadUriResolver(),
    addUsedSchema: false,
    // With true, a hostile body could collect so many errors that the server runs out of memory.
    allErrors: false,
  };
}

/** Optimizing the code takes Ajv more than half of its time, and V8 does it again: docs/architecture/validation.md has the figures. */
const notOptimized: NonNullable<Options['code']> = { optimize: false };

/** Ajv's default logger, the console, without the megabytes of code that did not compile: the error names the schema. */
const terseLogger: NonNullable<Options['logger']> = {
  log: (...words) => console.log(...words),
  warn: (...words) => console.warn(...words),
  error: (...words) => {
    if (!String(words[0]).startsWith('Error compiling schema')) console.error(...words);
  },
};

/** The Ajv instances over one set of shared schemas: one for each dialect, made when a schema of that dialect is compiled. */
export class AjvInstances {
  readonly #shared: SharedSchemas;
  readonly #options: EngineOptions;
  readonly #code: Options['code'];
  readonly #byDialect = new Map<SchemaDialect, Ajv>();
  readonly #isMarked: boolean;

  /** @param code Options of code generation, over those of the application. */
  constructor(shared: SharedSchemas, options: EngineOptions, code?: Options['code']) {
    this.#shared = shared;
    this.#options = options;
    this.#code = code;
    this.#isMarked = areMarked(shared);
  }

  /** @throws {SchemaAlreadyPresent} {SchemaReferenceReserved} {SchemaDialectMismatch} {SchemaTooLarge} */
  compile(schema: AnySchemaObject | boolean): ValidatorFunction {
    const own = this.#options.dialect ?? defaultDialect;
    const dialect = markedDialect(schema) ?? own;
    const ajv = this.#ajvOf(dialect);
    if (this.#isMarked || dialect !== own) this.#checkReached(ajv, schema, dialect, own);
    return compileWith(ajv, schema, this.#shared);
  }

  #ajvOf(dialect: SchemaDialect): Ajv {
    let ajv = this.#byDialect.get(dialect);
    if (ajv === undefined) {
      ajv = makeAjv(sharedFor(dialect, this.#shared), this.#options, dialect, this.#code);
      this.#byDialect.set(dialect, ajv);
    }
    return ajv;
  }

  /** Unmarked schemas are read in the dialect of the schema that refers to them, so they must be valid in it. */
  #checkReached(ajv: Ajv, schema: unknown, dialect: SchemaDialect, own: SchemaDialect): void {
    for (const id of reachShared(schema, this.#shared, dialect)) {
      if (dialect === own || ajv.validateSchema(this.#shared[id]!) === true) continue;
      const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
      throw new SchemaDialectMismatch(dialect, id, `which is not valid in it: ${reason}`);
    }
  }
}

/**
 * Makes one Ajv.
 *
 * @param code Options of code generation, over those of the application.
 */
export function makeAjv(
  shared: SharedSchemas,
  options: EngineOptions,
  dialect: SchemaDialect = defaultDialect,
  code?: Options['code'],
): Ajv {
  const isTypeDefinition = options.mode === 'JTD';
  const load = isTypeDefinition ? loadJtd : dialect === '2020-12' ? loadAjv2020 : loadAjv;
  const Engine = load().default;
  const custom = options.customOptions as Options | undefined;
  const { process } = custom?.code ?? {};
  const engine = new Engine({
    ...baselineOptions(),
    logger: terseLogger,
    ...custom,
    code: {
      ...notOptimized,
      ...custom?.code,
      ...code,
      process: (text, schema) => checkNesting(process === undefined ? text : process(text, schema)),
    },
  });
  // Ajv looks schemas up by name in these tables: they must not inherit the properties of every object.
  for (const table of [engine.schemas, engine.refs]) Object.setPrototypeOf(table, null);
  // Ajv resolves `$anchor`, but its strict mode does not know the keyword.
  if (dialect === '2020-12' && !engine.getKeyword('$anchor')) engine.addVocabulary(['$anchor']);
  if (!isTypeDefinition) writeInSegments(engine);
  let hasFormats = false;
  for (const entry of options.plugins ?? []) {
    const [pluginOrModule, ...pluginOptions] = (Array.isArray(entry) ? entry : [entry]) as [
      AnyAjvPlugin | { default: AnyAjvPlugin },
      ...unknown[],
    ];
    const plugin = typeof pluginOrModule === 'function' ? pluginOrModule : pluginOrModule.default;
    plugin(engine, ...pluginOptions);
    hasFormats ||= plugin.name === 'formatsPlugin';
  }
  if (!hasFormats) loadFormats().default(engine);
  options.onCreate?.(engine);
  if (options.acceptsFiles) addFileKeyword(engine);
  for (const schema of Object.values(shared)) {
    checkReferences(schema, shared);
    // A schema without `$schema` need only be valid in another dialect if a schema of that dialect refers to it.
    const mustBeValid = dialect === (options.dialect ?? defaultDialect) || markedDialect(schema) === dialect;
    engine.addSchema(schema as AnySchemaObject, undefined, undefined, mustBeValid ? undefined : false);
  }
  return engine;
}

/**
 * Compiles a schema. Ajv refuses a second schema with a known `$id`, so one that equals the known schema gets the validator of that.
 *
 * @throws {SchemaAlreadyPresent} when a different schema has the `$id`.
 * @throws {SchemaReferenceReserved} {SchemaTooLarge}
 */
export function compileWith(
  engine: Ajv,
  schema: AnySchemaObject | boolean,
  shared: SharedSchemas,
): ValidatorFunction {
  try {
    checkReferences(schema, shared);
    const id = typeof schema === 'object' && schema !== null ? schema.$id : undefined;
    const known = typeof id === 'string' ? engine.getSchema(id) : undefined;
    if (known !== undefined && !isDeepStrictEqual(known.schema, schema)) throw new SchemaAlreadyPresent(id!);
    return (known ?? compileKnown(engine, schema, id)) as ValidatorFunction;
  } catch (cause) {
    // The schema is nested too deeply for the stack.
    throw isOverflow(cause) ? SchemaTooLarge.at({ cause }) : cause;
  }
}

/**
 * Compiles a schema that is known to Ajv only meanwhile. With the baseline `addUsedSchema: false` alone, Ajv cannot resolve the references of a
 * schema to itself: `#` in one without an `$id`, and its absolute `$id`.
 */
function compileKnown(ajv: Ajv, schema: AnySchemaObject | boolean, id: unknown): unknown {
  const name = typeof id === 'string' ? id.replace(/#\/?$/, '') : '';
  if (ajv.opts.addUsedSchema !== false || name in ajv.refs || name in ajv.schemas || name.startsWith('#')) {
    return ajv.compile(schema);
  }
  ajv.opts.addUsedSchema = true;
  try {
    return ajv.compile(schema);
  } finally {
    ajv.opts.addUsedSchema = false;
    delete ajv.refs[name];
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
