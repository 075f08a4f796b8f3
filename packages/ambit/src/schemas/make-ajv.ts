/**
 * Creates an instance of Ajv with the baseline options (specification 5.6), the application's options and plugins, and the shared schemas.
 */
import { declaredDialect, defaultDialect } from '@ambit/json-schema';
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { isError } from '../shared/thrown-values.ts';
import type { SchemaDialect, SharedSchemas } from '../types/compilers.ts';
import type { EngineOptions } from './ajv-config-checks.ts';
import { checkReferences } from './validation/check-references.ts';
import { readOwnNames, refuseOverflow } from './validation/keyword-code.ts';
import { checkNesting, writeInSegments } from './validation/nested-code.ts';
import {
  addDiscriminator,
  addExactMultiples,
  type FormatListener,
  ignoreUnknownFormats,
  readOpenApi,
} from './validation/openapi-keywords.ts';

const loadAjv = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv'));
const loadAjv2020 = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv/dist/2020'));
const loadJtd = lazyModule<{ default: new (options: Options) => Ajv }>(() => require('ajv/dist/jtd'));
const loadFormats = lazyModule<{ default: (ajv: Ajv) => unknown }>(() => require('ajv-formats'));
const loadUriResolver = lazyModule<NonNullable<Options['uriResolver']>>(() => require('fast-uri'));
const loadFileKeyword = lazyModule<typeof import('./validation/file-keyword.ts')>(() =>
  require('./validation/file-keyword.ts'),
);

type AnyAjvPlugin = (ajv: Ajv, options?: unknown) => unknown;

/** The baseline of specification 5.6. */
function baselineOptions(): Options {
  return {
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    uriResolver: loadUriResolver(),
    addUsedSchema: false,
    // With true, keywords for numbers would not apply to `Infinity`, which is what JavaScript makes of 1e999. The types refuse it.
    strictNumbers: false,
    // With true, a hostile body could collect so many errors that the server runs out of memory.
    allErrors: false,
  };
}

/**
 * Optimizing its code takes more than half of Ajv's time, and V8 optimizes the code anyway: docs/architecture/validation.md has the
 * figures.
 */
const notOptimized: NonNullable<Options['code']> = { optimize: false };

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
export interface AjvSetup {
  /** Options of code generation. They override those of the application. */
  readonly code?: Options['code'];
  readonly onUnknownFormat?: FormatListener;
  /** Called with what Ajv warns of, unless the application has a logger for Ajv. */
  readonly onWarning?: (text: string) => void;
}

/** Creates one Ajv. */
export function makeAjv(
  shared: SharedSchemas,
  options: EngineOptions,
  dialect: SchemaDialect = defaultDialect,
  { code, onUnknownFormat = () => {}, onWarning = terseLogger.warn }: AjvSetup = {},
): Ajv {
  const isTypeDefinition = options.mode === 'JTD';
  const load = isTypeDefinition ? loadJtd : dialect === '2020-12' ? loadAjv2020 : loadAjv;
  const Engine = load().default;
  const custom = options.customOptions as Options | undefined;
  const { process } = custom?.code ?? {};
  const knowsOpenApi = !isTypeDefinition && options.rejectsOpenApi !== true;
  const ajv = new Engine({
    ...baselineOptions(),
    logger: { ...terseLogger, warn: onWarning },
    ...custom,
    // Ajv's own keyword knows no `mapping`.
    ...(knowsOpenApi && { discriminator: false }),
    code: {
      ...notOptimized,
      ...custom?.code,
      ...code,
      process: (text, schema) => checkNesting(process === undefined ? text : process(text, schema)),
    },
  });
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
    const [pluginOrModule, ...pluginOptions] = (Array.isArray(entry) ? entry : [entry]) as [
      AnyAjvPlugin | { default: AnyAjvPlugin },
      ...unknown[],
    ];
    const plugin = typeof pluginOrModule === 'function' ? pluginOrModule : pluginOrModule.default;
    plugin(ajv, ...pluginOptions);
    hasFormats ||= plugin.name === 'formatsPlugin';
  }
  if (!hasFormats) loadFormats().default(ajv);
  options.onCreate?.(ajv);
  if (options.acceptsFiles) loadFileKeyword().addFileKeyword(ajv);
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
        dialect === (options.dialect ?? defaultDialect) || declaredDialect(schema) === dialect;
      ajv.addSchema(schema as AnySchemaObject, undefined, undefined, mustBeValid ? undefined : false);
    } catch (error) {
      // Ajv does not say which schema it means.
      throw isError(error) ? Object.assign(error, { schemaPath: `${id.replace(/#$/, '')}#` }) : error;
    }
  }
  return ajv;
}
