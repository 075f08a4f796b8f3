/** Makes Ajv instances: the baseline options (specification 5.6), the application's options and plugins, and the shared schemas. */
import { isDeepStrictEqual } from 'node:util';
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type { AjvOptions, SharedSchemas, ValidatorFunction } from '../contract/compiler.ts';
import { SchemaAlreadyPresent, SchemaTooLarge } from '../contract/errors.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { require } from '../shared/require.ts';
import { contentKey } from './content-key.ts';
import { checkNesting, writeInSegments } from './validation/nested-code.ts';
import { checkReferences } from './validation/reserved-names.ts';

const loadAjv = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv'));
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

/** Options that change the compiled validator, but neither which schemas Ajv refuses nor what it warns about. */
const harmlessOptions: ReadonlySet<string> = new Set([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
  'verbose',
  'messages',
  'ownProperties',
]);

/** Whether Ajv with these options refuses the same schemas as Ajv with the baseline. */
export function isStandardConfig({ mode, plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

/** Whether text can tell these options completely: only then can an artifact hold what they lead to. */
export function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
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

/** @param code Options of code generation, over those of the application. */
export function makeAjv(
  shared: SharedSchemas,
  options: AjvOptions,
  code?: NonNullable<Options['code']>,
): Ajv {
  const isTypeDefinition = options.mode === 'JTD';
  const Engine = isTypeDefinition ? loadJtd().default : loadAjv().default;
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
  for (const schema of Object.values(shared)) {
    checkReferences(schema, shared);
    engine.addSchema(schema as AnySchemaObject);
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
    return (known ?? engine.compile(schema)) as ValidatorFunction;
  } catch (cause) {
    // The schema is nested too deeply for the stack.
    throw isOverflow(cause) ? SchemaTooLarge.at({ cause }) : cause;
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
