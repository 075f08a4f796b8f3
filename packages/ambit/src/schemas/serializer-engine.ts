/** @ambit/json-serializer as a schema engine. It reports all errors of a schema at once, and generates code for the first value. */
import { contentKey, defaultDialect, isStandardSchema, type StandardSchema } from '@ambit/json-schema';
import type { CompileOptions } from '@ambit/json-serializer';
import type { Program } from '@ambit/json-serializer/runtime';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type {
  JsonSchema,
  SchemaDialect,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
} from '../types/compilers.ts';
import type { SectionSettings } from './artifact/artifact.ts';
import { dialectsIn, References, sharedFor } from './dialect.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engine.ts';
import { type ChangeListener, reportChanges } from './serialization/report-changes.ts';
import { serializerOf } from './serialization/standard-schema-serializer.ts';
import { sharedPassPrecheck } from './validation/schema-precheck.ts';

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>(() =>
  require('@ambit/json-serializer'),
);
const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

export class SerializerEngine implements SchemaEngine<SerializerRequest, SerializerFunction> {
  readonly settings: SectionSettings;
  /** False if changes are reported: reports name the route, so routes cannot share a serializer. */
  readonly isShared: boolean;
  readonly #rounding: NonNullable<CompileOptions['rounding']>;
  readonly #references: References;
  readonly #listeners: readonly ChangeListener[];

  /**
   * @param dialect The dialect of schemas without `$schema`.
   * @param listeners Called with everything that serializing changes. Without one, changes are not searched for.
   */
  constructor(
    shared: SharedSchemas,
    options: SerializerOptions | undefined,
    dialect: SchemaDialect = defaultDialect,
    listeners: readonly ChangeListener[] = [],
  ) {
    const rounding = options?.rounding ?? 'trunc';
    this.settings = {
      part: 'serializers',
      options: { rounding, dialect },
      shared,
      isPlain: () =>
        [...dialectsIn(shared, dialect)].every((each) => sharedPassPrecheck(sharedFor(each, shared), each)),
    };
    this.isShared = listeners.length === 0;
    this.#rounding = rounding;
    this.#references = new References(shared, dialect);
    this.#listeners = listeners;
  }

  compile(request: SerializerRequest): CompiledSchema<SerializerFunction> {
    let generate: (() => void) | undefined;
    const run = loadEngine().compile(request.schema as JsonSchema, {
      ...this.#optionsFor(request),
      schedule: (generateNow) => {
        generate = generateNow;
      },
    });
    return { run, generate };
  }

  /** Uses the text of the schema, because the application may change the object after boot. */
  link(stored: unknown, request: SerializerRequest, content: string): CompiledSchema<SerializerFunction> {
    const options: CompileOptions = { ...this.#optionsFor(request), generate: 'now' };
    let serializer: SerializerFunction | undefined;
    const link = (): SerializerFunction => {
      serializer ??= loadRuntime().load(stored as Program, JSON.parse(content), options);
      return serializer;
    };
    return { run: (value) => (serializer ?? link())(value), generate: () => void link() };
  }

  adapt(schema: StandardSchema): SerializerFunction {
    return serializerOf(schema);
  }

  #optionsFor(request: SerializerRequest): CompileOptions {
    const options = { ...this.#references.of(request.schema), rounding: this.#rounding };
    const listeners = this.#listeners;
    return listeners.length === 0 ? options : { ...options, report: reportChanges(listeners, request) };
  }
}

/**
 * Returns the code that writes values of a schema; `undefined` if JSON cannot express the schema, or the default engine does not compile
 * it.
 */
export function serializerCode(
  schema: unknown,
  shared: Record<string, unknown>,
  dialect: SchemaDialect | undefined,
): string | undefined {
  if (isStandardSchema(schema)) return undefined;
  const content = contentKey(schema);
  if (content === undefined) return undefined;
  try {
    return new SerializerSource(shared as SharedSchemas, dialect).write(content);
  } catch {
    return undefined;
  }
}

/** Writes the programs for schemas in text form, with one set of shared schemas. */
export class SerializerSource {
  readonly #references: References;

  constructor(shared: SharedSchemas, dialect: SchemaDialect | undefined) {
    this.#references = new References(shared, dialect ?? defaultDialect);
  }

  /** Returns the expression for the program of a schema. */
  write(content: string): string {
    const schema = JSON.parse(content) as JsonSchema;
    return loadEngine().compileToSource(schema, this.#references.of(schema));
  }
}
