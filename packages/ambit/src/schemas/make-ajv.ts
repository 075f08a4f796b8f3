/** Owns the making of Ajv engines: the baseline options (specification 5.6), plugins, and one engine a set of shared schemas. */
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
    // Collecting every error lets a hostile body make one that takes the server down.
    allErrors: false,
  };
}

/** Options that change what Ajv makes of a schema, but neither what it refuses nor what it warns of. */
const harmlessOptions: ReadonlySet<string> = new Set([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
  'verbose',
  'messages',
  'ownProperties',
]);

/** Whether the engine refuses what Ajv refuses by itself, and nothing else. */
export function isStandardConfig({ mode, plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

/** Whether everything that the engine was made with can be told by text: only then do others know what it makes of a schema. */
export function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
}

/** Tidying what it generates is more than half of Ajv's work, and V8 does it again: docs/architecture/validation.md has the figures. */
const untidied: NonNullable<Options['code']> = { optimize: false };

/** Ajv's default, the console, without the megabytes of code that did not compile: the error says which schema it was. */
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
  const isDefinition = options.mode === 'JTD';
  const Engine = isDefinition ? loadJtd().default : loadAjv().default;
  const custom = options.customOptions as Options | undefined;
  const { process } = custom?.code ?? {};
  const engine = new Engine({
    ...baselineOptions(),
    logger: terseLogger,
    ...custom,
    code: {
      ...untidied,
      ...custom?.code,
      ...code,
      process: (text, schema) => checkNesting(process === undefined ? text : process(text, schema)),
    },
  });
  // What is looked up there by the name of a schema must not be a property of every object.
  for (const table of [engine.schemas, engine.refs]) Object.setPrototypeOf(table, null);
  if (!isDefinition) writeInSegments(engine);
  let hasFormats = false;
  for (const entry of options.plugins ?? []) {
    const [given, ...pluginOptions] = (Array.isArray(entry) ? entry : [entry]) as [
      AnyAjvPlugin | { default: AnyAjvPlugin },
      ...unknown[],
    ];
    const plugin = typeof given === 'function' ? given : given.default;
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
 * Ajv refuses a second schema with a known `$id`: the one that it has is taken when it says the same.
 *
 * @throws {SchemaAlreadyPresent} when it says something else.
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
    // Deeper than the stack.
    throw isOverflow(cause) ? SchemaTooLarge.at({ cause }) : cause;
  }
}

function isOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes('call stack');
}
