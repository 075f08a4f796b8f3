/** Where a schema is: the schemas that its references may lead to, and what is described once for all routes. */
import {
  type DialectName,
  dialectNamed,
  nearestDialect,
  type Part,
  Registry,
  subschemasOf,
} from '@ambit/json-schema';
import { isObject, type Json } from '../json.ts';
import type { Side } from './plain-schema.ts';

/** A whole schema, which was added to a context or declared by a route. `#` refers to it. */
export interface SchemaRoot {
  readonly document: unknown;
  readonly registry: Registry;
  readonly part: Part;
  /** The side, if the schema comes from a library. */
  readonly side: Side | undefined;
}

/** The location of a schema: what its references are resolved against, and a name that it gets if it needs one. */
export interface SchemaLocation extends Omit<SchemaRoot, 'document'> {
  /** The schema, or the closest one around it that a reference leads to or that has an `$id`. */
  readonly part: Part;
  readonly hint: string;
}

/** The target of a reference. */
export interface Target {
  readonly schema: unknown;
  /** Absent for a boolean, and for a component of the application. */
  readonly part: Part | undefined;
  /** A name for the schema: the last step of a pointer, or an anchor. */
  readonly name: string;
  readonly by: 'definition' | 'reference' | 'component';
}

/** A schema of the document. */
export type DescribedSchema = Json | boolean;

/** Explains why a schema cannot be described, and where the fault is. */
export class SchemaProblem extends Error {
  readonly path: string;

  constructor(message: string, path: readonly (string | number)[]) {
    super(message);
    this.path = path.map((step) => `/${step}`).join('');
  }
}

/** The shared schemas that the routes of a context see, by name. */
export class SchemaScope {
  readonly #registry: Registry;
  readonly #dialect: DialectName;

  /** @param dialect The dialect of schemas without `$schema`. */
  constructor(shared: Readonly<Record<string, unknown>>, dialect: DialectName) {
    this.#registry = new Registry(shared, dialectNamed(dialect));
    this.#dialect = dialect;
  }

  /** A schema of a route, which may refer to the shared ones. */
  root(document: unknown, declared?: DialectName, side?: Side): SchemaRoot {
    const dialect = declared ?? nearestDialect(document, this.#dialect);
    const registry = this.#registry.extend(dialectNamed(dialect));
    return { document, registry, part: registry.addRoot(isObject(document) ? document : {}), side };
  }
}

/** The schemas that references in a document lead to. */
const targetsByDocument = new WeakMap<object, ReadonlySet<unknown>>();

/** Whether a reference in a document refers to a schema in it. @param location Anywhere in the document. */
export function isReferred(schema: unknown, { registry, part }: SchemaLocation): boolean {
  const { document } = part.base;
  const targets = targetsByDocument.get(document) ?? targetsIn(registry.addRoot(document.root), registry);
  targetsByDocument.set(document, targets);
  return targets.has(schema);
}

function targetsIn(document: Part, registry: Registry): ReadonlySet<unknown> {
  const targets = new Set<unknown>();
  // The set grows while the loop runs.
  const parts = new Set([document]);
  for (const part of parts) {
    const { $ref, $dynamicRef } = part.schema;
    for (const reference of [$ref, $dynamicRef]) {
      const target = typeof reference === 'string' ? registry.find(reference, part) : undefined;
      targets.add(typeof target === 'object' ? target.schema : target);
    }
    for (const { schema } of subschemasOf(part.schema))
      if (isObject(schema)) parts.add(registry.child(part, schema));
  }
  return targets;
}
