/** Pure helpers for the dialects of JSON Schema: which dialect a schema has, and which shared schemas it may refer to. */
import type { JsonSchema, SharedSchemas } from '../contract/compiler.ts';
import type { SchemaDialect } from '../contract/compiler-options.ts';
import { SchemaDialectMismatch } from '../contract/errors.ts';
import { findReference } from './json-schema.ts';

export const defaultDialect: SchemaDialect = 'draft-07';

const dialectsByUri: ReadonlyMap<unknown, SchemaDialect> = new Map([
  ['http://json-schema.org/draft-07/schema', 'draft-07'],
  ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
]);

/** The dialect that `$schema` names; `undefined` for a schema without it, and for a meta-schema of the application's own. */
export function markedDialect(schema: unknown): SchemaDialect | undefined {
  const { $schema: uri } = Object(schema) as { $schema?: unknown };
  return typeof uri === 'string' ? dialectsByUri.get(uri.replace(/#$/, '')) : undefined;
}

/** Whether `$schema` names the dialect of a shared schema, so that references may lead from one dialect to another. */
export function areMarked(shared: SharedSchemas): boolean {
  return Object.values(shared).some((schema) => markedDialect(schema) !== undefined);
}

/** The dialects of shared schemas, with that of the application. */
export function dialectsIn(shared: SharedSchemas, own: SchemaDialect): ReadonlySet<SchemaDialect> {
  return new Set([own, ...Object.values(shared).map((schema) => markedDialect(schema) ?? own)]);
}

/** The shared schemas that schemas of a dialect may refer to: those that `$schema` marks as such, and those without a mark. */
export function sharedFor(dialect: SchemaDialect, shared: SharedSchemas): SharedSchemas {
  const isVisible = (schema: JsonSchema): boolean => (markedDialect(schema) ?? dialect) === dialect;
  const entries = Object.entries(shared);
  return entries.every(([, schema]) => isVisible(schema))
    ? shared
    : Object.fromEntries(entries.filter(([, schema]) => isVisible(schema)));
}

/**
 * The names of the shared schemas that a schema reaches by reference.
 *
 * @throws {SchemaDialectMismatch} when one of them is marked as another dialect.
 */
export function reachShared(
  schema: unknown,
  shared: SharedSchemas,
  dialect: SchemaDialect,
  reached: Set<string> = new Set(),
): Set<string> {
  findReference(schema, (reference) => {
    const [id] = reference.split('#', 1) as [string];
    if (id === '' || reached.has(id) || !Object.hasOwn(shared, id)) return false;
    const marked = markedDialect(shared[id]);
    if (marked !== undefined && marked !== dialect) {
      throw new SchemaDialectMismatch(dialect, id, `which is of the dialect ${marked}`);
    }
    reached.add(id);
    reachShared(shared[id], shared, dialect, reached);
    return false;
  });
  return reached;
}

/** The shared schemas that the serializer of a schema may refer to, and the dialect that it reads those without a mark in. */
export class References {
  readonly #shared: SharedSchemas;
  readonly #own: SchemaDialect;
  readonly #byDialect = new Map<SchemaDialect, SharedSchemas>();
  /** Whether a shared schema names its dialect. */
  readonly #isMarked: boolean;

  /** @param own The dialect of the application. */
  constructor(shared: SharedSchemas, own: SchemaDialect) {
    this.#shared = shared;
    this.#own = own;
    this.#isMarked = areMarked(shared);
  }

  /**
   * A schema of another dialect than the application's gets unmarked schemas only if it reaches them: the others need not be valid in it.
   *
   * @throws {SchemaDialectMismatch}
   */
  of(schema: unknown): { readonly refs: SharedSchemas; readonly dialect: SchemaDialect } {
    const dialect = markedDialect(schema) ?? this.#own;
    if (dialect === this.#own && !this.#isMarked) return { refs: this.#shared, dialect };
    const reached = reachShared(schema, this.#shared, dialect);
    const refs = this.#refsIn(dialect);
    if (dialect === this.#own || reached.size === 0) return { refs, dialect };
    const unmarked = [...reached]
      .filter((id) => !Object.hasOwn(refs, id))
      .map((id) => [id, this.#shared[id]!]);
    return { refs: unmarked.length === 0 ? refs : { ...refs, ...Object.fromEntries(unmarked) }, dialect };
  }

  /** One object for each dialect: the engine checks each set of shared schemas once. */
  #refsIn(dialect: SchemaDialect): SharedSchemas {
    let refs = this.#byDialect.get(dialect);
    if (refs === undefined) {
      refs =
        dialect === this.#own
          ? sharedFor(dialect, this.#shared)
          : Object.fromEntries(
              Object.entries(this.#shared).filter(([, schema]) => markedDialect(schema) === dialect),
            );
      this.#byDialect.set(dialect, refs);
    }
    return refs;
  }
}
