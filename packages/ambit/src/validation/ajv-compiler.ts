/** Owns Ajv, the default validator engine: its baseline options (spec 2.6), its plugins, and one engine a set of schemas. */
import type { Ajv, AnySchemaObject, Options } from 'ajv';
import type {
  AjvOptions,
  SharedSchemas,
  ValidatorCompiler,
  ValidatorFunction,
} from '../contract/compiler.ts';
import { CompiledOnce } from '../kit/content-key.ts';
import { lazyModule } from '../kit/lazy-module.ts';

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

/** A validator compiler that resolves `$ref` among the given shared schemas. The engine is made on first use. */
export function buildAjvCompiler(shared: SharedSchemas, options: AjvOptions): ValidatorCompiler {
  let engine: Ajv | undefined;
  const compiled = new CompiledOnce<ValidatorFunction>();
  return ({ schema }) =>
    compiled.get(schema, () => {
      engine ??= makeEngine(shared, options);
      return compileWith(engine, schema as AnySchemaObject | boolean);
    });
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
