/**
 * Collects the schemas of `components.schemas`, and names them. Equal schemas with the same name are one component. If
 * schemas with the same name differ, the first one in the order of the document keeps the name.
 */
import { type Part, uriOf } from '@ambit/json-schema';
import { type Json, setMember } from '../json.ts';
import type { Side } from './plain-schema.ts';
import type { Target } from './schema-location.ts';

/** A schema that a reference refers to. */
export interface Component {
  /** Index in the table. References contain it until the components have names. */
  readonly index: number;
  readonly name: string;
  /** Whether the name is generated. Then equal schemas are one component, even if their names differ. */
  readonly isGenerated: boolean;
  /** The side of a library's schema: `input` or `output`. */
  readonly side: Side | undefined;
  schema: Json | boolean | undefined;
}

/** The start of references to components. */
export const componentPrefix = '#/components/schemas/';
/** A character that no name contains. */
const mark = '\u0000';

export class ComponentTable {
  readonly #components: Component[] = [];
  /** All references that were written. */
  readonly #references: { readonly holder: Json; readonly field: string; readonly component: Component }[] =
    [];
  readonly #own: Readonly<Record<string, unknown>>;

  /** @param own The application's own components by name, which are in the document as they are. */
  constructor(own: Readonly<Record<string, unknown>> = {}) {
    this.#own = own;
  }

  /** The application's own component with a name; `undefined` if there is none. */
  ownSchema(name: string): unknown {
    return Object.hasOwn(this.#own, name) ? this.#own[name] : undefined;
  }

  add(name: string, isGenerated: boolean, side: Side | undefined): Component {
    const component = {
      index: this.#components.length,
      name: componentName(name),
      isGenerated,
      side,
      schema: undefined,
    };
    this.#components.push(component);
    return component;
  }

  /** Writes a reference to a component into a field. It contains the index until `name` replaces it with the name. */
  refer(holder: Json, field: string, component: Component): void {
    setMember(holder, field, `${componentPrefix}${mark}${component.index}`);
    this.#references.push({ holder, field, component });
  }

  /** Names all components, completes all references, and returns `components.schemas`. */
  name(): Record<string, Json | boolean> {
    const classes = this.#classes();
    const names = this.#namesOf(classes);
    for (const { holder, field, component } of this.#references)
      setMember(holder, field, componentPrefix + names.get(classes[component.index]!)!);
    const named = this.#components.map(
      (component) => [names.get(classes[component.index]!)!, component.schema!] as const,
    );
    // Of equal components, the first one is used.
    return Object.fromEntries([...named].reverse().sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  }

  /** Numbers the components. Equal components get the same number, even if they refer to one another. */
  #classes(): number[] {
    const shapes = this.#components.map(({ name, isGenerated, schema }) => {
      const references: number[] = [];
      const text = JSON.stringify(schema).replace(/\/\\u0000(\d+)"/g, (_, index: string) => {
        references.push(Number(index));
        return '/"';
      });
      return { key: `${isGenerated ? '' : name}${mark}${text}`, references };
    });
    let classes = numberByKey(shapes.map(({ key }) => key));
    for (let count = 0; count < new Set(classes).size; ) {
      count = new Set(classes).size;
      classes = numberByKey(
        shapes.map(({ key, references }) => `${key}${mark}${references.map((i) => classes[i])}`),
      );
    }
    return classes;
  }

  #namesOf(classes: readonly number[]): Map<number, string> {
    const names = new Map<number, string>();
    const usedNames = new Set(Object.keys(this.#own));
    const sides = this.#sides(classes);
    // Declared names have precedence over generated names.
    const ordered = [...this.#components].sort(
      (a, b) => Number(a.isGenerated) - Number(b.isGenerated) || a.index - b.index,
    );
    for (const { index, name } of ordered) {
      if (names.has(classes[index]!)) continue;
      const baseName = name + (sides.get(classes[index]!) ?? '');
      let uniqueName = baseName;
      for (let count = 2; usedNames.has(uniqueName); count++) uniqueName = `${baseName}_${count}`;
      usedNames.add(uniqueName);
      names.set(classes[index]!, uniqueName);
    }
    return names;
  }

  /** The suffix for the name of a library's schema whose input and output differ. */
  #sides(classes: readonly number[]): Map<number, string> {
    const classesOf = new Map<string, Set<number>>();
    const sidesOf = new Map<number, Set<Side | undefined>>();
    for (const { index, name, side } of this.#components) {
      classesOf.set(name, (classesOf.get(name) ?? new Set()).add(classes[index]!));
      sidesOf.set(classes[index]!, (sidesOf.get(classes[index]!) ?? new Set()).add(side));
    }
    const suffixes = new Map<number, string>();
    for (const classesWithName of classesOf.values()) {
      for (const number of classesWithName.size > 1 ? classesWithName : []) {
        const [side, ...others] = sidesOf.get(number)!;
        if (side !== undefined && others.length === 0)
          suffixes.set(number, side === 'input' ? 'Input' : 'Output');
      }
    }
    return suffixes;
  }
}

function numberByKey(keys: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return keys.map((key) => {
    if (!numbers.has(key)) numbers.set(key, numbers.size);
    return numbers.get(key)!;
  });
}

/** Replaces characters that the specification does not allow in names of components. */
function componentName(name: string): string {
  return name.replace(/[^\w.-]+/g, '_').replace(/^_+(?=.)|(?<=.)_+$/g, '') || 'Schema';
}

/**
 * The name of a component: the one that its schema declares, or one that is generated from its path.
 *
 * @param hint A name for the whole schema that contains the target, if it has none.
 */
export function componentNameOf(
  { schema, base }: Part,
  { name, by }: Pick<Target, 'name' | 'by'>,
  hint: string,
): Pick<Component, 'name' | 'isGenerated'> {
  const declaredName = nameOf(schema, by === 'definition' ? name : '');
  if (declaredName !== undefined) return { name: declaredName, isGenerated: false };
  const { root } = base.document;
  const owner = (uriOf(root) === '' ? undefined : nameOf(root, '')) ?? hint;
  return { name: isUnnamed(name) ? owner : `${owner}_${name.replace(/^#/, '')}`, isGenerated: true };
}

/** The name that the schema declares, or its name in `definitions`. */
function nameOf(schema: unknown, definition: string): string | undefined {
  const { $id, title } = schema as { $id?: unknown; title?: unknown };
  const heading = typeof title === 'string' && title.trim() !== '' ? title : undefined;
  if (typeof $id === 'string' && !$id.startsWith('#')) {
    const id = $id.replace(/#.*$/, '');
    return isUri(id) ? (heading ?? lastSegment(id)) : id;
  }
  return isUnnamed(definition) ? heading : definition;
}

/** Libraries give numbers to schemas without a name: `__schema0`. */
function isUnnamed(name: string): boolean {
  return name === '' || name.startsWith('__');
}

function isUri(id: string): boolean {
  return id.includes('://') || id.startsWith('urn:');
}

function lastSegment(uri: string): string {
  const segments = uri.replace(/[/:]+$/, '').split(/[/:]/);
  return segments.at(-1)!.replace(/(?:\.schema)?\.json$/, '');
}
