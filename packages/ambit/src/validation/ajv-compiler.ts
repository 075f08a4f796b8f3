/** Owns Ajv, the default validator engine: its baseline options (spec 2.6), its plugins, and one engine a set of schemas. */
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type {
  AjvOptions,
  SharedSchemas,
  ValidatorCompiler,
  ValidatorFunction,
} from '../contract/compiler.ts';
import type { CompileQueue } from '../kit/compile-queue.ts';
import { CompiledOnce } from '../kit/content-key.ts';
import { lazyModule } from '../kit/lazy-module.ts';
import { makeLazyValidator } from './lazy-validator.ts';
import { areSoundShared, isSoundSchema } from './sound-schema.ts';

const loadAjv = lazyModule<{ default: new (options: Options) => Ajv }>('ajv');
const loadJtd = lazyModule<{ default: new (options: Options) => Ajv }>('ajv/dist/jtd');
const loadFormats = lazyModule<{ default: (ajv: Ajv) => unknown }>('ajv-formats');
const loadUriResolver = lazyModule<NonNullable<Options['uriResolver']>>('fast-uri');

type AnyAjvPlugin = (ajv: Ajv, options?: unknown) => unknown;

/** The baseline of spec 2.6. */
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

/**
 * A validator compiler that resolves `$ref` among the given shared schemas. The engine is made on first use. Schemas that it is
 * certain to compile may wait for their first use as well; every other one is compiled at once, so that its error surfaces.
 */
export function buildAjvCompiler(
  shared: SharedSchemas,
  options: AjvOptions,
  queue: CompileQueue,
): ValidatorCompiler {
  let engine: Ajv | undefined;
  const compileNow = (schema: unknown): ValidatorFunction => {
    engine ??= makeEngine(shared, options);
    return compileWith(engine, schema as AnySchemaObject | boolean);
  };
  const compiled = new CompiledOnce<ValidatorFunction>();
  let mayWait: boolean | undefined;
  return ({ schema }) =>
    compiled.get(schema, (content) => {
      mayWait ??= !queue.isEager && isPredictable(options) && areSoundShared(shared);
      if (!mayWait || content === undefined || !isSoundSchema(schema, shared)) return compileNow(schema);
      // The text, and not the object: what is done to that after boot must not count.
      const { validator, compile } = makeLazyValidator(() => compileNow(JSON.parse(content)));
      queue.add(compile);
      return validator;
    });
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
function isPredictable({ mode, plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

function makeEngine(shared: SharedSchemas, options: AjvOptions): Ajv {
  const Engine = options.mode === 'JTD' ? loadJtd().default : loadAjv().default;
  const engine = new Engine({ ...baselineOptions(), ...(options.customOptions as Options) });
  let hasFormats = false;
  for (const entry of options.plugins ?? []) {
    const [plugin, ...pluginOptions] = (Array.isArray(entry) ? entry : [entry]) as [
      AnyAjvPlugin,
      ...unknown[],
    ];
    plugin(engine, ...pluginOptions);
    hasFormats ||= plugin.name === 'formatsPlugin';
  }
  if (!hasFormats) loadFormats().default(engine);
  options.onCreate?.(engine);
  for (const schema of Object.values(shared)) engine.addSchema(schema as AnySchemaObject);
  return engine;
}

/** Ajv refuses a second schema with a known `$id`; the one it has is the same, since shared schemas are immutable. */
function compileWith(engine: Ajv, schema: AnySchemaObject | boolean): ValidatorFunction {
  const id = typeof schema === 'object' && schema !== null ? schema.$id : undefined;
  const known = typeof id === 'string' ? engine.getSchema(id) : undefined;
  return (known ?? engine.compile(schema)) as ValidatorFunction;
}
