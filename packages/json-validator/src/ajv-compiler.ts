/** The instances of Ajv for one set of shared schemas: how they are made, and how they compile a schema. */
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import {
  collectReferencedShared,
  type DialectName,
  declaredDialect,
  defaultDialect,
  haveDeclaredDialects,
  type JsonSchema,
  sharedFor,
} from '@ambit/json-schema';
import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import {
  addDiscriminator,
  addExactMultiples,
  checkNesting,
  type FormatListener,
  ignoreUnknownFormats,
  readOpenApi,
  readOwnNames,
  refuseOverflow,
  skipDiscriminated,
  writeInSegments,
} from './ajv-keywords.ts';
import { checkLoops, checkReferences } from './check-references.ts';
import { type ConversionParts, convertWhereInvalid, findTried } from './conversion.ts';
import { SchemaRefused } from './errors.ts';
import { explainFailure, rootPointerOf } from './explain-failure.ts';
import type { SharedSchemas, Validator, ValidatorOptions } from './options.ts';
import { canReportAll, problemsFinder } from './report-all.ts';
import { writeTrials } from './trials.ts';

const require = createRequire(import.meta.url);

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
export class AjvCompiler {
  readonly #shared: SharedSchemas;
  readonly #options: ValidatorOptions;
  readonly #code: Options['code'];
  readonly #converting = new Map<DialectName, Ajv>();
  /** Instances that only test, for schemas in which branches are tried. */
  readonly #testing = new Map<DialectName, Ajv>();
  readonly #tests = new WeakMap<object, Compiled>();
  readonly #hasDeclaredDialects: boolean;
  readonly #knowsOpenApi: boolean;
  /** Whether keywords of the application may change values, too. */
  readonly #hasEffects: boolean;
  readonly #reportsAll: boolean;
  /** Compiles the validators that do not stop at their first problem. */
  #all: AjvCompiler | undefined;
  /** The schema that is being compiled, and its name in warnings. */
  #schema: AnySchemaObject | boolean = true;
  #place = '';
  readonly #warned = new Set<string>();

  /** @param code Options of code generation. They override those of the application. */
  constructor(shared: SharedSchemas, options: ValidatorOptions, code?: Options['code']) {
    const { plugins = [], onCreate, customOptions } = options;
    this.#shared = shared;
    this.#options = options;
    this.#code = code;
    this.#hasDeclaredDialects = haveDeclaredDialects(shared);
    this.#knowsOpenApi = readsOpenApi(options);
    this.#hasEffects = plugins.length > 0 || onCreate !== undefined || customOptions?.keywords !== undefined;
    this.#reportsAll = options.reportsAll === true && canReportAll(options);
  }

  /**
   * @param place Names the schema in warnings.
   * @param isChecked Whether this schema, and all shared schemas of its dialect, are certain to be valid.
   * @throws {SchemaRefused}
   */
  compile(schema: JsonSchema, place?: string, isChecked?: boolean): Validator {
    try {
      const validator = this.#compile(schema as AnySchemaObject | boolean, place, isChecked);
      if (this.#reportsAll)
        validator.findProblems = problemsFinder(validator, () => this.#compileAll(schema, place));
      return validator;
    } catch (error) {
      const { makeError } = this.#options;
      throw error instanceof SchemaRefused && makeError !== undefined ? makeError(error) : error;
    }
  }

  #compileAll(schema: JsonSchema, place: string | undefined): Validator {
    // What there is to warn of has been said.
    const customOptions = { ...this.#options.customOptions, allErrors: true, logger: false };
    const options = { ...this.#options, customOptions, onUnknownFormat: undefined };
    this.#all ??= new AjvCompiler(this.#shared, options);
    return this.#all.compile(schema, place);
  }

  #compile(schema: AnySchemaObject | boolean, place = 'a schema', isChecked = false): Validator {
    this.#schema = schema;
    this.#place = place;
    const appDialect = this.#options.dialect ?? defaultDialect;
    const dialect = declaredDialect(schema) ?? appDialect;
    const ajv = remember(this.#converting, dialect, () => this.#makeConverting(dialect, isChecked));
    if (this.#hasDeclaredDialects || dialect !== appDialect)
      this.#checkReferenced(ajv, schema, dialect, appDialect);
    const convert = compileWith(ajv, schema, this.#shared, this.#knowsOpenApi, isChecked);
    const { coerceTypes, removeAdditional, useDefaults } = ajv.opts;
    const converts = Boolean(coerceTypes || removeAdditional || useDefaults) && this.#options.mode !== 'JTD';
    if (!converts || typeof schema !== 'object' || schema.$async) return convert as Validator;
    const { tries, hasDefault } = findTried(schema, this.#shared);
    if (!tries) return convert as Validator;
    const changesValid = (hasDefault && Boolean(useDefaults)) || removeAdditional === 'all';
    const settings = { isText: this.#options.isText === true, changesValid };
    const test = this.#hasEffects ? undefined : this.#testOf(schema, dialect);
    return convertWhereInvalid({ convert, test, settings } as ConversionParts);
  }

  #makeConverting(dialect: DialectName, isChecked: boolean): Ajv {
    const ajv = makeAjv(sharedFor(dialect, this.#shared), this.#options, dialect, {
      code: this.#code,
      isChecked,
      onUnknownFormat: (format, schemaPath) => this.#warnOfFormat(format, schemaPath),
      onWarning: (text) => this.#warn(text),
    });
    writeTrials(ajv, {
      isText: this.#options.isText === true,
      hasEffects: this.#hasEffects,
      testOf: (document) => {
        const { schemaEnv } = this.#testOf(document, dialect);
        return { schemaEnv, self: this.#testingAjv(dialect) };
      },
    });
    if (this.#knowsOpenApi) skipDiscriminated(ajv, this.#shared);
    return ajv;
  }

  #testingAjv(dialect: DialectName): Ajv {
    return remember(this.#testing, dialect, () => {
      const options = { ...this.#options, customOptions: { ...this.#options.customOptions, ...testing } };
      return makeAjv(sharedFor(dialect, this.#shared), options, dialect, { code: this.#code });
    });
  }

  /** The function that only tests, for the schema of a route or a shared schema. */
  #testOf(schema: AnySchemaObject, dialect: DialectName): Compiled {
    return remember(this.#tests, schema, () => {
      const ajv = this.#testingAjv(dialect);
      const { $id } = schema as { $id?: unknown };
      const isShared = typeof $id === 'string' && this.#shared[$id] === schema;
      const compiled = isShared
        ? ajv.getSchema($id)
        : compileWith(ajv, schema, this.#shared, this.#knowsOpenApi);
      return compiled as Compiled;
    });
  }

  #warnOfFormat(format: string, schemaPath: string): void {
    const isLocal = schemaPath.startsWith('#');
    const place = isLocal ? `${schemaPath} in ${this.#place}` : schemaPath;
    if (this.#isNew(JSON.stringify([format, place]))) this.#options.onUnknownFormat?.(format, place);
  }

  /** Ajv warns without the route, and of some mistakes without their path. */
  #warn(text: string): void {
    const failure = { schema: this.#schema, cause: { message: text } };
    const { schemaPath, sharedId } = explainFailure(failure, this.#shared);
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
  #checkReferenced(ajv: Ajv, schema: unknown, dialect: DialectName, appDialect: DialectName): void {
    const referenced = [...collectReferencedShared(schema, this.#shared)];
    const other = referenced.find((id) => (declaredDialect(this.#shared[id]) ?? dialect) !== dialect);
    if (other !== undefined) {
      const problem = `which is of the dialect ${declaredDialect(this.#shared[other])}`;
      throw new SchemaRefused('DIALECT_MISMATCH', [dialect, other, problem]);
    }
    for (const id of referenced) {
      if (dialect === appDialect || ajv.validateSchema(this.#shared[id]!) === true) continue;
      const reason = ajv.errorsText(ajv.errors, { dataVar: 'it' });
      throw new SchemaRefused('DIALECT_MISMATCH', [dialect, id, `which is not valid in it: ${reason}`]);
    }
  }
}

/** Whether words of OpenAPI have their meaning in the schemas. Type definitions (RFC 8927) have a `nullable` of their own. */
function readsOpenApi({ mode, rejectsOpenApi }: ValidatorOptions): boolean {
  return mode !== 'JTD' && rejectsOpenApi !== true;
}

/** Returns what is known for a key, which is made if nothing is. */
function remember<Key, Value>(
  known: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: () => Value,
): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

/**
 * Compiles a schema. Ajv rejects a second schema with the same `$id`, so a schema that equals the first one gets the validator of that.
 *
 * @param isChecked Whether the schema is certain to be valid: to compile the meta-schema takes longer than to compile most schemas.
 * @throws {SchemaRefused} also if a different schema has the same `$id`.
 */
export function compileWith(
  ajv: Ajv,
  declared: AnySchemaObject | boolean,
  shared: SharedSchemas,
  knowsOpenApi = true,
  isChecked = false,
): Validator {
  const { validateSchema } = ajv.opts;
  if (isChecked) ajv.opts.validateSchema = false;
  try {
    checkReferences(declared, shared);
    // Where schemas mean what they mean in Fastify, a loop that Ajv can compile fails the request that meets it.
    if (knowsOpenApi) checkLoops(declared, shared, ajv.opts.unevaluated === true);
    const schema = knowsOpenApi ? readOpenApi(declared, ajv) : declared;
    const id = typeof schema === 'object' && schema !== null ? schema.$id : undefined;
    const existing = typeof id === 'string' ? ajv.getSchema(id) : undefined;
    if (existing !== undefined && !isDeepStrictEqual(existing.schema, schema))
      throw new SchemaRefused('ALREADY_PRESENT', [id!]);
    return (existing ?? compileAndForget(ajv, schema, id)) as Validator;
  } catch (cause) {
    if (!isOverflow(cause)) throw cause;
    checkLoops(declared, shared, ajv.opts.unevaluated === true);
    // The schema is nested too deeply for the stack.
    throw new SchemaRefused('TOO_LARGE', [], cause);
  } finally {
    ajv.opts.validateSchema = validateSchema;
  }
}

/**
 * Compiles a schema that Ajv knows only until it is compiled. With `addUsedSchema: false` (a baseline option), Ajv could not resolve
 * references of a schema to itself: `#` in a schema without an `$id`, and its absolute `$id`.
 */
function compileAndForget(ajv: Ajv, schema: AnySchemaObject | boolean, id: unknown): unknown {
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

type AnyAjvPlugin = (ajv: Ajv, options?: unknown) => unknown;

/**
 * Logs to the console, as Ajv does by default, but does not print the code of a schema that did not compile: it can have megabytes, and
 * the error names the schema.
 */
const terseLogger: Exclude<Options['logger'], false | undefined> = {
  log: (...words) => console.log(...words),
  warn: (...words) => console.warn(...words),
  error: (...words) => {
    if (!String(words[0]).startsWith('Error compiling schema')) console.error(...words);
  },
};

/** What an Ajv needs besides the options of the application. */
interface AjvSetup {
  /** Options of code generation. They override those of the application. */
  readonly code?: Options['code'];
  /** Whether the shared schemas are certain to be valid. */
  readonly isChecked?: boolean;
  readonly onUnknownFormat?: FormatListener;
  /** Called with what Ajv warns of, unless the application has a logger for Ajv. */
  readonly onWarning?: (text: string) => void;
}

/** Creates an Ajv with the options of specification 5.6, the options and plugins of the application, and the shared schemas. */
export function makeAjv(
  shared: SharedSchemas,
  options: ValidatorOptions,
  dialect: DialectName = defaultDialect,
  { code, isChecked, onUnknownFormat = () => {}, onWarning = terseLogger.warn }: AjvSetup = {},
): Ajv {
  const isTypeDefinition = options.mode === 'JTD';
  const Engine = isTypeDefinition
    ? require('ajv/dist/jtd').default
    : dialect === '2020-12'
      ? require('ajv/dist/2020').default
      : Ajv;
  const custom = options.customOptions as Options | undefined;
  const { process } = custom?.code ?? {};
  const knowsOpenApi = readsOpenApi(options);
  const ajv: Ajv = new Engine({
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    uriResolver: require('fast-uri'),
    addUsedSchema: false,
    // With true, keywords for numbers would not apply to `Infinity`, which is what JavaScript makes of 1e999. The types refuse it.
    strictNumbers: false,
    // With true, a hostile body could collect so many errors that the server runs out of memory.
    allErrors: false,
    logger: { ...terseLogger, warn: onWarning },
    ...custom,
    // Ajv's own keyword knows no `mapping`.
    ...(knowsOpenApi && { discriminator: false }),
    code: {
      // Optimizing its code takes more than half of Ajv's time, and V8 optimizes the code anyway: docs/architecture/validation.md.
      optimize: false,
      ...custom?.code,
      ...code,
      process: (text, schema) => checkNesting(process === undefined ? text : process(text, schema)),
    },
  } satisfies Options);
  // Ajv looks up schemas by name in these tables, so they must not inherit the properties that every object has.
  for (const table of [ajv.schemas, ajv.refs]) Object.setPrototypeOf(table, null);
  // Ajv resolves `$anchor`, but its strict mode does not know the keyword.
  if (dialect === '2020-12' && !ajv.getKeyword('$anchor')) ajv.addVocabulary(['$anchor']);
  if (!isTypeDefinition) {
    writeInSegments(ajv);
    readOwnNames(ajv);
    refuseOverflow(ajv);
    addExactMultiples(ajv);
  }
  let hasFormats = false;
  for (const entry of options.plugins ?? []) {
    const [pluginOrModule, ...pluginOptions] = [entry].flat() as [AnyAjvPlugin | { default: AnyAjvPlugin }];
    const plugin = typeof pluginOrModule === 'function' ? pluginOrModule : pluginOrModule.default;
    plugin(ajv, ...pluginOptions);
    hasFormats ||= plugin.name === 'formatsPlugin';
  }
  if (!hasFormats) require('ajv-formats').default(ajv);
  options.onCreate?.(ajv);
  options.addKeywords?.(ajv as never);
  if (knowsOpenApi) {
    addDiscriminator(ajv, shared);
    if (custom?.strict !== true && custom?.strictSchema !== true) ignoreUnknownFormats(ajv, onUnknownFormat);
  }
  for (const [id, declared] of Object.entries(shared)) {
    try {
      checkReferences(declared, shared);
      const schema = knowsOpenApi ? readOpenApi(declared, ajv) : declared;
      // A schema without `$schema` must be valid in another dialect only if a schema of that dialect refers to it.
      const mustBeValid =
        !isChecked && (declaredDialect(schema) ?? options.dialect ?? defaultDialect) === dialect;
      ajv.addSchema(schema as AnySchemaObject, undefined, undefined, mustBeValid ? undefined : false);
    } catch (error) {
      // Ajv does not say which schema it means.
      throw error instanceof Error ? Object.assign(error, { schemaPath: rootPointerOf(id) }) : error;
    }
  }
  return ajv;
}
