/** Finds the target of a `$dynamicRef`, which depends on the references that were followed before (JSON Schema 2020-12, Core 8.2.3.2). */
import { dynamicAnchorsIn, type Located, type SchemaRoot } from './references.ts';

/**
 * The schemas that have a `$dynamicAnchor`, by its name. If several have the same name, the one that was entered first
 * counts. Equal scopes are the same object.
 */
export class DynamicScope {
  readonly #anchors: ReadonlyMap<string, Located>;
  /** The scopes inside resources that were entered from here, by root and base URI. */
  readonly #inside = new Map<SchemaRoot, Map<string, DynamicScope>>();
  /** All scopes of a document, by the targets of their anchors. */
  readonly #all: Map<string, DynamicScope>;
  readonly #numbers: Map<unknown, number>;

  constructor(
    anchors: ReadonlyMap<string, Located> = new Map(),
    all: Map<string, DynamicScope> = new Map(),
    numbers: Map<unknown, number> = new Map(),
  ) {
    this.#anchors = anchors;
    this.#all = all;
    this.#numbers = numbers;
  }

  find(name: string): Located | undefined {
    return this.#anchors.get(name);
  }

  /** The scope inside the resource with a base URI. */
  enter(root: SchemaRoot, base: string): DynamicScope {
    const own = dynamicAnchorsIn(root, base);
    if (own.length === 0) return this;
    const byBase = this.#inside.get(root) ?? new Map<string, DynamicScope>();
    this.#inside.set(root, byBase);
    const scope = byBase.get(base) ?? this.#with(own);
    byBase.set(base, scope);
    return scope;
  }

  #with(own: readonly Located[]): DynamicScope {
    const anchors = new Map(this.#anchors);
    for (const anchored of own) if (!anchors.has(anchored.name)) anchors.set(anchored.name, anchored);
    if (anchors.size === this.#anchors.size) return this;
    const key = [...anchors].map(([name, { schema }]) => `${name} ${this.#numberOf(schema)}`).join('\n');
    const scope = this.#all.get(key) ?? new DynamicScope(anchors, this.#all, this.#numbers);
    this.#all.set(key, scope);
    return scope;
  }

  #numberOf(schema: unknown): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }
}
