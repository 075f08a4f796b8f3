/** Makes an instance of Ajv: the baseline options (specification 5.6), the application's options and plugins, and the shared schemas. */
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type { SharedSchemas } from '../contract/compiler.ts';
import type { SchemaDialect } from '../contract/compiler-options.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { EngineOptions } from './ajv-options.ts';
import { defaultDialect, markedDialect } from './dialect.ts';
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
