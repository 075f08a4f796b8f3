/** The targets of references: each becomes a component, once for each dynamic scope in which it is reached. */
import { type Json, setMember } from '../json.ts';
import { componentNameOf } from './component-name.ts';
import { type Component, ComponentTable, componentPrefix } from './components.ts';
import { DynamicScope } from './dynamic-scope.ts';
import { findReference, type Located, type SchemaRoot } from './references.ts';
import type { SchemaLocation } from './schema-location.ts';

/** A component whose schema is not described yet. */
export interface PendingComponent {
  readonly component: Component;
  readonly schema: unknown;
  readonly location: SchemaLocation;
}

export class ReferenceTargets {
  readonly components: ComponentTable;
  readonly #componentsBySchema = new Map<unknown, Map<SchemaRoot, Map<DynamicScope, Component>>>();
  readonly #pending: PendingComponent[] = [];
  readonly #outside = new DynamicScope();

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>>) {
    this.components = new ComponentTable(own);
  }

  /** The location of a whole schema. */
  locationOfRoot(root: SchemaRoot, hint: string): SchemaLocation {
    return { root, base: root.base, hint, dynamic: this.#outside.enter(root, root.base) };
  }

  /** The location of the target of a reference. @param from The location of the reference. */
  locationOfTarget({ root, base }: Located, { hint, dynamic }: SchemaLocation): SchemaLocation {
    return { root, base, hint, dynamic: dynamic.enter(root, base) };
  }

  /** The target of a reference; `undefined` if there is none. */
  find(reference: string, { root, base }: SchemaLocation): Located | undefined {
    const found = findReference(reference, root, base);
    if (found !== undefined || !reference.startsWith(componentPrefix)) return found;
    // A reference in the format of OpenAPI, to a component of the application or to a shared schema.
    const name = reference.slice(componentPrefix.length);
    const schema = this.components.ownSchema(name);
    return schema === undefined
      ? findReference(name, root, base)
      : { schema, root, base, name, by: 'component' };
  }

  /** Writes a reference to a target into a field. @param from The location of the reference. */
  refer(holder: Json, field: string, target: Located, from: SchemaLocation): void {
    if (target.by === 'component') setMember(holder, field, componentPrefix + target.name);
    else this.components.refer(holder, field, this.#componentOf(target, from));
  }

  /** The component that a whole schema has become, because a schema inside refers to it. */
  componentAt({ root, dynamic }: SchemaLocation): Component | undefined {
    return this.#componentsBySchema.get(root.document)?.get(root)?.get(dynamic);
  }

  /** The next component whose schema is not described yet. The caller describes it. */
  takePending(): PendingComponent | undefined {
    return this.#pending.shift();
  }

  #componentOf(target: Located, from: SchemaLocation): Component {
    const { schema, root } = target;
    const location = this.locationOfTarget(target, from);
    const byRoot =
      this.#componentsBySchema.get(schema) ?? new Map<SchemaRoot, Map<DynamicScope, Component>>();
    this.#componentsBySchema.set(schema, byRoot);
    const byScope = byRoot.get(root) ?? new Map<DynamicScope, Component>();
    byRoot.set(root, byScope);
    let component = byScope.get(location.dynamic);
    if (component === undefined) {
      const { name, isGenerated } = componentNameOf(target, location.hint);
      component = this.components.add(name, isGenerated, root.side);
      byScope.set(location.dynamic, component);
      this.#pending.push({ component, schema, location });
    }
    return component;
  }
}
