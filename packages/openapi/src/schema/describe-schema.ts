/**
 * Describes schemas of routes in JSON Schema 2020-12, the dialect of OpenAPI 3.1. A schema that a reference refers to
 * becomes a component.
 */
import { uriOf } from '@ambit/json-schema';
import type { Json } from '../json.ts';
import type { Component, ComponentTable } from './components.ts';
import { SchemaConverter } from './convert-schema.ts';
import { ReferenceTargets } from './reference-targets.ts';
import type { DescribedSchema, SchemaLocation, SchemaRoot, Target } from './schema-location.ts';

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
    const location = { ...root, hint };
    const described = this.describe(root.document, location, uriOf(root.document) === '' ? undefined : []);
    // If a schema inside refers to the whole, the whole becomes a component and needs a name.
    const component = this.#targets.componentAt(location);
    return component === undefined ? described : this.#reference(component);
  }

  /** The location of the target of a reference. @param from The location of the reference. */
  locationOfTarget({ part }: Target, from: SchemaLocation): SchemaLocation {
    return part === undefined ? from : this.#targets.locationOf(part, from);
  }

  /**
   * Describes one schema of a root.
   *
   * @param path The path in the root, for errors. If it is present, a schema with an `$id` becomes a component.
   * @throws {SchemaProblem}
   */
  describe(schema: unknown, location: SchemaLocation, path?: readonly (string | number)[]): DescribedSchema {
    const described =
      path === undefined
        ? this.#converter.convert(schema, location, [])
        : this.#converter.convertInner(schema, location, path);
    for (let next = this.#targets.takePending(); next !== undefined; next = this.#targets.takePending())
      next.component.schema = this.#converter.convert(next.location.part.schema, next.location, [
        next.component.name,
      ]);
    return described;
  }

  /** The target of a reference. @throws {SchemaProblem} if the reference has no target. */
  follow(reference: unknown, location: SchemaLocation): Target {
    return this.#converter.follow(reference, location);
  }

  #reference(component: Component): Json {
    const reference: Json = {};
    this.components.refer(reference, '$ref', component);
    return reference;
  }
}
