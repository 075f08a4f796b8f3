/** Finds the target of a `$dynamicRef`: the outermost schema with its name, in the resources that were entered on the way to it. */
import type { SchemaObject } from '../json-schema.ts';
import type { Resource } from './resource.ts';

interface Anchored {
  readonly schema: SchemaObject;
  readonly base: Resource;
}

/** The schemas that have a `$dynamicAnchor`, by its name. The first one entered counts. */
export class DynamicScope {
  /** The same object for equal scopes. */
  readonly key: string;
  readonly #anchors: ReadonlyMap<string, Anchored>;
  readonly #entered = new Map<Resource, DynamicScope>();

  constructor(anchors: ReadonlyMap<string, Anchored>) {
    this.#anchors = anchors;
    this.key = [...anchors].map(([name, { base }]) => `${name}@${base.number}`).join(' ');
  }

  find(name: string): Anchored | undefined {
    return this.#anchors.get(name);
  }

  /** The scope inside a resource. */
  enter(base: Resource): DynamicScope {
    if (base.dynamicAnchors.size === 0) return this;
    let inside = this.#entered.get(base);
    if (inside === undefined) {
      inside = this.#with(base);
      this.#entered.set(base, inside);
    }
    return inside;
  }

  #with(base: Resource): DynamicScope {
    const anchors = new Map(this.#anchors);
    for (const [name, schema] of base.dynamicAnchors)
      if (!anchors.has(name)) anchors.set(name, { schema, base });
    return anchors.size === this.#anchors.size ? this : new DynamicScope(anchors);
  }
}

export const emptyScope: DynamicScope = new DynamicScope(new Map());
