/** The dialects of JSON Schema: which dialect a schema has, and which shared schemas it may refer to. */
import { declaredDialect, findReference } from '@ambit/json-schema';
import type { JsonSchema, SchemaDialect, SharedSchemas } from '../types/compilers.ts';
import { SchemaDialectMismatch } from '../types/errors.ts';

/** Whether a shared schema declares its dialect, so that references may lead from one dialect to another. */
export function haveDeclaredDialects(shared: SharedSchemas): boolean {
  return Object.values(shared).some((schema) => declaredDialect(schema) !== undefined);
}

/** The dialects of shared schemas, and that of the application. */
export function dialectsIn(shared: SharedSchemas, appDialect: SchemaDialect): ReadonlySet<SchemaDialect> {
  return new Set([
    appDialect,
    ...Object.values(shared).map((schema) => declaredDialect(schema) ?? appDialect),
  ]);
}

/** The shared schemas that schemas of a dialect may refer to: those that declare this dialect, and those that declare none. */
export function sharedFor(dialect: SchemaDialect, shared: SharedSchemas): SharedSchemas {
  const isVisible = (schema: JsonSchema): boolean => (declaredDialect(schema) ?? dialect) === dialect;
  const entries = Object.entries(shared);
  return entries.every(([, schema]) => isVisible(schema))
    ? shared
    : Object.fromEntries(entries.filter(([, schema]) => isVisible(schema)));
}

/**
 * Collects the names of the shared schemas that a schema refers to, directly or through other schemas.
 *
 * @throws {SchemaDialectMismatch} if one of them declares another dialect.
 */
export function collectReferencedShared(
  schema: unknown,
  shared: SharedSchemas,
  dialect: SchemaDialect,
  referenced: Set<string> = new Set(),
): Set<string> {
  findReference(schema, (reference) => {
    const [id] = reference.split('#', 1) as [string];
    if (id === '' || referenced.has(id) || !Object.hasOwn(shared, id)) return false;
    const declared = declaredDialect(shared[id]);
    if (declared !== undefined && declared !== dialect) {
      throw new SchemaDialectMismatch(dialect, id, `which is of the dialect ${declared}`);
    }
    referenced.add(id);
    collectReferencedShared(shared[id], shared, dialect, referenced);
    return false;
  });
  return referenced;
}

/** Finds the shared schemas that a serializer may refer to, and the dialect in which it reads those that declare none. */
export class References {
  readonly #shared: SharedSchemas;
  readonly #appDialect: SchemaDialect;
  readonly #byDialect = new Map<SchemaDialect, SharedSchemas>();
  /** Whether a shared schema declares its dialect. */
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
    const referenced = collectReferencedShared(schema, this.#shared, dialect);
    const refs = this.#refsIn(dialect);
    if (dialect === this.#appDialect || referenced.size === 0) return { refs, dialect };
    const undeclared = [...referenced]
      .filter((id) => !Object.hasOwn(refs, id))
      .map((id) => [id, this.#shared[id]!]);
    return { refs: undeclared.length === 0 ? refs : { ...refs, ...Object.fromEntries(undeclared) }, dialect };
  }

  /** Returns the same object for each schema of a dialect, because the engine checks each object of shared schemas once. */
  #refsIn(dialect: SchemaDialect): SharedSchemas {
    let refs = this.#byDialect.get(dialect);
    if (refs === undefined) {
      refs =
        dialect === this.#appDialect
          ? sharedFor(dialect, this.#shared)
          : Object.fromEntries(
              Object.entries(this.#shared).filter(([, schema]) => declaredDialect(schema) === dialect),
            );
      this.#byDialect.set(dialect, refs);
    }
    return refs;
  }
}
