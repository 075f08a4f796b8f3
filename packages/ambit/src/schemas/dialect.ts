/** Pure helpers for the dialects of JSON Schema: which dialect a schema has, and which shared schemas it may refer to. */
import type { JsonSchema, SchemaDialect, SharedSchemas } from '../contract/compiler.ts';
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
