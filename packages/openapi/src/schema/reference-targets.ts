/** The targets of references: each becomes a component, once for each dynamic scope in which it is reached. */
import { type Part, type Reference, resolveUri, splitReference, stepsOf } from '@ambit/json-schema';
import { type Json, setMember } from '../json.ts';
import { type Component, ComponentTable, componentNameOf, componentPrefix } from './components.ts';
import type { SchemaLocation, Target } from './schema-location.ts';

/** A component whose schema is not described yet. */
export interface PendingComponent {
  readonly component: Component;
  readonly location: SchemaLocation;
}

export class ReferenceTargets {
  readonly components: ComponentTable;
  readonly #componentsByPart = new Map<Part, Component>();
  readonly #pending: PendingComponent[] = [];

  /** @param own The application's own components by name. */
  constructor(own: Readonly<Record<string, unknown>>) {
    this.components = new ComponentTable(own);
  }

  /** The target of a reference; `undefined` if there is none. */
  find(reference: string, location: SchemaLocation, keyword: Reference = '$ref'): Target | undefined {
    const { registry, part } = location;
    // As Ajv does: a URI counts before a name that is spelled like it.
    const uri = reference.startsWith('#') ? reference : resolveUri(reference, part.base.base);
    const found = registry.find(uri, part, keyword) ?? registry.find(reference, part, keyword);
    if (found !== undefined) return targetOf(found, reference);
    if (!reference.startsWith(componentPrefix)) return undefined;
    // A reference in the format of OpenAPI, to a component of the application or to a shared schema.
    const name = reference.slice(componentPrefix.length);
    const schema = this.components.ownSchema(name);
    if (schema !== undefined) return { schema, part: undefined, name, by: 'component' };
    const shared = registry.find(name, part);
    return shared === undefined ? undefined : targetOf(shared, name);
  }

  /** The location of a target; that of the reference to it, if the target has no part. @param from The location of the reference. */
  locationOf(part: Part | undefined, from: SchemaLocation): SchemaLocation {
    if (part === undefined) return from;
    const side = part.base.document === from.part.base.document ? from.side : undefined;
    return { registry: from.registry, part, side, hint: from.hint };
  }

  /** Writes a reference to a target into a field. @param from The location of the reference. */
  refer(holder: Json, field: string, target: Target, from: SchemaLocation): void {
    if (target.by === 'component') setMember(holder, field, componentPrefix + target.name);
    else if (target.part !== undefined)
      this.components.refer(holder, field, this.#componentOf(target.part, target, from));
  }

  /** The component that a whole schema has become, because a schema inside refers to it. */
  componentAt({ part }: SchemaLocation): Component | undefined {
    return this.#componentsByPart.get(part);
  }

  /** The next component whose schema is not described yet. The caller describes it. */
  takePending(): PendingComponent | undefined {
    return this.#pending.shift();
  }

  #componentOf(part: Part, target: Target, from: SchemaLocation): Component {
    let component = this.#componentsByPart.get(part);
    if (component === undefined) {
      const location = this.locationOf(part, from);
      const { name, isGenerated } = componentNameOf(part, target, from.hint);
      component = this.components.add(name, isGenerated, location.side);
      this.#componentsByPart.set(part, component);
      this.#pending.push({ component, location });
    }
    return component;
  }
}

function targetOf(found: Part | boolean, reference: string): Target {
  const [, fragment] = splitReference(reference);
  const steps = stepsOf(fragment);
  const isDefinition = ['definitions', '$defs'].includes(steps.at(-2) ?? '');
  return {
    ...(typeof found === 'boolean'
      ? { schema: found, part: undefined }
      : { schema: found.schema, part: found }),
    name: steps.at(-1) ?? fragment,
    by: isDefinition ? 'definition' : 'reference',
  };
}
