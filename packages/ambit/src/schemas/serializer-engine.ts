/** @ambit/json-serializer as a schema engine. It reports all errors of a schema at once, and generates code for the first value. */
import { createRequire } from 'node:module';
import {
  collectReferencedShared,
  contentKey,
  declaredDialect,
  defaultDialect,
  haveDeclaredDialects,
  isStandardSchema,
} from '@ambit/json-schema';
import type { CompileOptions, Diagnostic } from '@ambit/json-serializer';
import type { Program } from '@ambit/json-serializer/runtime';
import { Validators } from '@ambit/json-validator';
import { lazyModule } from '../shared/lazy-module.ts';
import { attempt } from '../shared/thrown-values.ts';
import type {
  JsonSchema,
  SchemaDialect,
  SerializerFunction,
  SerializerOptions,
  SerializerRequest,
  SharedSchemas,
} from '../types/compilers.ts';
import { SchemaDialectMismatch } from '../types/errors.ts';
import type { SerializationChange } from '../types/inspection.ts';
import type { SectionSettings } from './artifact.ts';
import type { CompiledSchema, SchemaEngine } from './schema-engines.ts';

const require = createRequire(import.meta.url);

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>(() =>
  require('@ambit/json-serializer'),
);
const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

/** A function that is called with each change. */
export type ChangeListener = (change: SerializationChange) => void;

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
      isPlain: () => new Validators(shared, { dialect }).sharedAreCertain(),
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

  #optionsFor(request: SerializerRequest): CompileOptions {
    const options = { ...this.#references.of(request.schema), rounding: this.#rounding };
    const listeners = this.#listeners;
    return listeners.length === 0 ? options : { ...options, report: reportChanges(listeners, request) };
  }
}

/** The most changes that are reported for one response schema, because a value whose keys are data has a path for each key. */
const maxChanges = 100;

/** Creates the function that reports the changes of one serializer: each once, so that a busy route does not repeat itself. */
function reportChanges(
  listeners: readonly ChangeListener[],
  { method, url, httpStatus, contentType }: SerializerRequest,
): (diagnostic: Diagnostic) => void {
  const seen = new Set<string>();
  return ({ kind, path, message }) => {
    // All items of an array have the same path.
    const change = `${kind} ${path.replace(/\/\d+(?=\/|$)/g, '/*')}`;
    if (seen.size === maxChanges || seen.has(change)) return;
    seen.add(change);
    const isLast = seen.size === maxChanges;
    // A schema that a handler compiles itself has neither status nor media type.
    const report = { method, url, status: httpStatus, contentType, kind, path, message, isLast };
    for (const listener of listeners) listener(report);
  };
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
  return attempt(() => programWriter(shared as SharedSchemas, dialect)(content));
}

/** Returns a function that writes the expression for the program of a schema in text form, with one set of shared schemas. */
export function programWriter(
  shared: SharedSchemas,
  dialect: SchemaDialect = defaultDialect,
): (content: string) => string {
  const references = new References(shared, dialect);
  return (content) => {
    const schema = JSON.parse(content) as JsonSchema;
    return loadEngine().compileToSource(schema, references.of(schema));
  };
}

/** Finds the shared schemas that a serializer may refer to, and the dialect in which it reads those that declare none. */
class References {
  readonly #shared: SharedSchemas;
  readonly #appDialect: SchemaDialect;
  /** One object for each dialect, because the engine checks each object of shared schemas once. */
  readonly #byDialect = new Map<SchemaDialect, SharedSchemas>();
  readonly #hasDeclaredDialects: boolean;

  /** @param appDialect The dialect of the application. */
  constructor(shared: SharedSchemas, appDialect: SchemaDialect) {
    this.#shared = shared;
    this.#appDialect = appDialect;
    this.#hasDeclaredDialects = haveDeclaredDialects(shared);
  }

  /**
   * If a schema has another dialect than the application, it gets a shared schema without `$schema` only if it refers to it: the others
   * need not be valid in its dialect.
   *
   * @throws {SchemaDialectMismatch}
   */
  of(schema: unknown): { readonly refs: SharedSchemas; readonly dialect: SchemaDialect } {
    const dialect = declaredDialect(schema) ?? this.#appDialect;
    if (dialect === this.#appDialect && !this.#hasDeclaredDialects) return { refs: this.#shared, dialect };
    const referenced = [...collectReferencedShared(schema, this.#shared)];
    const other = referenced.find((id) => (declaredDialect(this.#shared[id]) ?? dialect) !== dialect);
    if (other !== undefined) {
      const problem = `which is of the dialect ${declaredDialect(this.#shared[other])}`;
      throw new SchemaDialectMismatch(dialect, other, problem);
    }
    let refs = this.#byDialect.get(dialect);
    if (refs === undefined) {
      const isRead = (each: JsonSchema): boolean => (declaredDialect(each) ?? this.#appDialect) === dialect;
      refs = Object.fromEntries(Object.entries(this.#shared).filter(([, each]) => isRead(each)));
      this.#byDialect.set(dialect, refs);
    }
    const others = referenced.filter((id) => !Object.hasOwn(refs, id));
    if (others.length === 0) return { refs, dialect };
    return { refs: { ...refs, ...Object.fromEntries(others.map((id) => [id, this.#shared[id]!])) }, dialect };
  }
}
