/**
 * Describes schemas of routes in JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema that a reference refers to
 * becomes a component.
 */
import type { Json } from '../json.ts';
import type { Component, ComponentTable } from './components.ts';
import { SchemaConverter } from './convert-schema.ts';
import { ReferenceTargets } from './reference-targets.ts';
import type { Located, SchemaRoot } from './references.ts';
import type { DescribedSchema, SchemaPlace } from './schema-place.ts';
import { isIdentified } from './schema-uri.ts';

export class SchemaDescriber {
  readonly #targets: ReferenceTargets;
  readonly #converter: SchemaConverter;

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>>) {
    this.#targets = new ReferenceTargets(own);
    this.#converter = new SchemaConverter(this.#targets);
  }

  get components(): ComponentTable {
    return this.#targets.components;
  }

  /** @throws {SchemaProblem} */
  describeRoot(root: SchemaRoot, hint: string): DescribedSchema {
    const place = this.placeOf(root, hint);
    const described = this.describe(root.document, place, isIdentified(root.document) ? [] : undefined);
    // If a schema inside refers to the whole, the whole becomes a component and needs a name.
    const component = this.#targets.componentAt(place);
    return component === undefined ? described : this.#reference(component);
  }

  /** The place of a whole schema. */
  placeOf(root: SchemaRoot, hint: string): SchemaPlace {
    return this.#targets.placeOf(root, hint);
  }

  /** The place of the target of a reference. @param from The place of the reference. */
  placeAt(target: Located, from: SchemaPlace): SchemaPlace {
    return this.#targets.placeAt(target, from);
  }

  /**
   * Describes one schema of a root.
   *
   * @param path The place in the root, for errors. If it is given, a schema with an `$id` becomes a component.
   * @throws {SchemaProblem}
   */
  describe(schema: unknown, place: SchemaPlace, path?: readonly (string | number)[]): DescribedSchema {
    const described =
      path === undefined
        ? this.#converter.convert(schema, place, [])
        : this.#converter.convertInner(schema, place, path);
    for (let next = this.#targets.takePending(); next !== undefined; next = this.#targets.takePending())
      next.component.schema = this.#converter.convert(next.schema, next.place, [next.component.name]);
    return described;
  }

  /** The target of a reference. @throws {SchemaProblem} if the reference has no target. */
  follow(reference: unknown, place: SchemaPlace): Located {
    return this.#converter.follow(reference, place);
  }

  #reference(component: Component): Json {
    const reference: Json = {};
    this.components.refer(reference, '$ref', component);
    return reference;
  }
}
