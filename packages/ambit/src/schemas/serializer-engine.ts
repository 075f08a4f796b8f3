/** Owns @ambit/json-serializer as a schema engine. It finds every fault of a schema at once, and generates code for the first value. */
import type { CompileOptions } from '@ambit/json-serializer';
import type { Program } from '@ambit/json-serializer/runtime';
import type {
  JsonSchema,
  SchemaDialect,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
} from '../contract/compiler.ts';
import type { Logger } from '../contract/logger.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { SectionSettings } from './artifact/artifact.ts';
import { defaultDialect, dialectsIn, markedDialect, reachShared, sharedFor } from './dialect.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engines.ts';
import { serializerOf } from './serialization/standard-schema-serializer.ts';
import { warnOfDiagnostics } from './serialization/warn-of-diagnostics.ts';
import type { StandardSchema } from './standard-schema.ts';
import { sharedPassPrecheck } from './validation/schema-precheck.ts';

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>(() =>
  require('@ambit/json-serializer'),
);
const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

export class SerializerEngine implements SchemaEngine<SerializerRequest, SerializerFunction> {
  readonly settings: SectionSettings;
  /** Diagnostics name their route, so that no two routes can share a serializer that reports. */
  readonly isShared: boolean;
  readonly #options: CompileOptions;
  readonly #dialect: SchemaDialect;
  readonly #log: Logger | undefined;

  /**
   * @param dialect The dialect of schemas without `$schema`.
   * @param log Gets a warning for everything that serializing changes; without it nothing is reported.
   */
  constructor(
    shared: SharedSchemas,
    options: SerializerOptions | undefined,
    dialect: SchemaDialect = defaultDialect,
    log?: Logger,
  ) {
    const rounding = options?.rounding ?? 'trunc';
    this.settings = {
      part: 'serializers',
      options: { rounding, dialect },
      shared,
      isPlain: () =>
        [...dialectsIn(shared, dialect)].every((each) => sharedPassPrecheck(sharedFor(each, shared), each)),
    };
    this.isShared = log === undefined;
    this.#options = { refs: shared, rounding };
    this.#dialect = dialect;
    this.#log = log;
  }

  compile(request: SerializerRequest): CompiledSchema<SerializerFunction> {
    reachShared(request.schema, this.settings.shared, markedDialect(request.schema) ?? this.#dialect);
    let generate: (() => void) | undefined;
    const run = loadEngine().compile(request.schema as JsonSchema, {
      ...this.#optionsFor(request),
      schedule: (generateNow) => {
        generate = generateNow;
      },
    });
    return { run, generate };
  }

  /** From the text of the schema, and not the object: what happens to the object after boot must not count. */
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
    return this.#log === undefined
      ? this.#options
      : { ...this.#options, report: warnOfDiagnostics(this.#log, request) };
  }
}

/** The expression for the program of a schema that is given as text. */
export function writeSerializer(content: string, shared: SharedSchemas): string {
  return loadEngine().compileToSource(JSON.parse(content), { refs: shared });
}
