/** Owns the targets of references: each becomes a component, once for each dynamic scope in which it is reached. */
import { type Json, setMember } from '../json.ts';
import { componentNameOf } from './component-name.ts';
import { type Component, ComponentTable, componentPrefix } from './components.ts';
import { DynamicScope } from './dynamic-scope.ts';
import { findReference, type Located, type SchemaRoot } from './references.ts';
import type { SchemaPlace } from './schema-place.ts';

/** A component whose schema is not described yet. */
export interface PendingComponent {
  readonly component: Component;
  readonly schema: unknown;
  readonly place: SchemaPlace;
}

export class ReferenceTargets {
  readonly components: ComponentTable;
  readonly #known = new Map<unknown, Map<SchemaRoot, Map<DynamicScope, Component>>>();
  readonly #pending: PendingComponent[] = [];
  readonly #outside = new DynamicScope();

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>>) {
    this.components = new ComponentTable(own);
  }

  /** The place of a whole schema. */
  placeOf(root: SchemaRoot, hint: string): SchemaPlace {
    return { root, base: root.base, hint, dynamic: this.#outside.enter(root, root.base) };
  }

  /** The place of the target of a reference. @param from The place of the reference. */
  placeAt({ root, base }: Located, { hint, dynamic }: SchemaPlace): SchemaPlace {
    return { root, base, hint, dynamic: dynamic.enter(root, base) };
  }

  /** The target of a reference; `undefined` if there is none. */
  find(reference: string, { root, base }: SchemaPlace): Located | undefined {
    const found = findReference(reference, root, base);
    if (found !== undefined || !reference.startsWith(componentPrefix)) return found;
    // The form of OpenAPI, for a component of the application, or for a shared schema.
    const name = reference.slice(componentPrefix.length);
    const schema = this.components.ownSchema(name);
    return schema === undefined
      ? findReference(name, root, base)
      : { schema, root, base, name, by: 'component' };
  }

  /** Writes a reference to a target into a field. @param from The place of the reference. */
  refer(holder: Json, field: string, target: Located, from: SchemaPlace): void {
    if (target.by === 'component') setMember(holder, field, componentPrefix + target.name);
    else this.components.refer(holder, field, this.#componentOf(target, from));
  }

  /** The component that a whole schema has become, because a schema inside refers to it. */
  componentAt({ root, dynamic }: SchemaPlace): Component | undefined {
    return this.#known.get(root.document)?.get(root)?.get(dynamic);
  }

  /** The next component whose schema is not described yet. The caller describes it. */
  takePending(): PendingComponent | undefined {
    return this.#pending.shift();
  }

  #componentOf(target: Located, from: SchemaPlace): Component {
    const { schema, root } = target;
    const place = this.placeAt(target, from);
    const byRoot = this.#known.get(schema) ?? new Map<SchemaRoot, Map<DynamicScope, Component>>();
    this.#known.set(schema, byRoot);
    const byScope = byRoot.get(root) ?? new Map<DynamicScope, Component>();
    byRoot.set(root, byScope);
    let component = byScope.get(place.dynamic);
    if (component === undefined) {
      const { name, isMadeUp } = componentNameOf(target, place.hint);
      component = this.components.add(name, isMadeUp, root.side);
      byScope.set(place.dynamic, component);
      this.#pending.push({ component, schema, place });
    }
    return component;
  }
}
