/** Reads OpenAPI's `discriminator`, for this package and for validators: which values of the property select which branch. */
import { isSchemaObject } from '@ambit/json-schema';
import { isPrimitive, type Primitive } from './test.ts';

/** What a branch of `oneOf` or `anyOf` says about the values that select it. */
export interface DiscriminatedBranch {
  /** The `$ref` of the branch, or its `$id`. */
  readonly reference: string | undefined;
  /** The values of `const` or `enum` of the property; empty if the branch lists none, `undefined` if it cannot be read. */
  readonly constants: readonly unknown[] | undefined;
}

/** A `discriminator` that can be used: each value of its property selects one branch. */
export interface Discriminator {
  /** The property whose value selects the branch. */
  readonly propertyName: string;
  /** The values that select each branch; empty for a branch that no value selects. */
  readonly tags: readonly (readonly Primitive[])[];
}

/**
 * Reads which values select which branch (OpenAPI 3.1.1, 4.8.25): those that `mapping` lists and those that the branch itself lists,
 * otherwise the name of the schema to which the branch refers.
 *
 * @param discriminator The value of the keyword.
 * @param readBranches Returns the branches, for the name of the property.
 * @returns `undefined` if the keyword selects nothing, or one value would select two branches.
 */
export function readDiscriminator(
  discriminator: unknown,
  readBranches: (propertyName: string) => readonly DiscriminatedBranch[],
): Discriminator | undefined {
  if (!isSchemaObject(discriminator)) return undefined;
  const { propertyName, mapping } = discriminator;
  if (typeof propertyName !== 'string' || propertyName in Object.prototype) return undefined;
  const branches = readBranches(propertyName);
  const mapped = Object.entries(isSchemaObject(mapping) ? mapping : {}).map(
    ([value, target]) => [value, findTarget(branches, target)] as const,
  );
  const tags = branches.map((branch) => {
    const listed = mapped.filter(([, target]) => target === branch).map(([value]) => value);
    const values = new Set<unknown>([...listed, ...(branch.constants ?? [])]);
    if (values.size === 0 && branch.constants === undefined) return undefined;
    if (values.size === 0 && branch.reference !== undefined) values.add(nameOf(branch.reference));
    return [...values];
  });
  const all = tags.flat();
  const isDefinite = all.length > 0 && all.every(isPrimitive) && new Set(all).size === all.length;
  return isDefinite ? { propertyName, tags: tags as Primitive[][] } : undefined;
}

/** A mapping contains the reference of a branch, or only the name of its schema. */
function findTarget(
  branches: readonly DiscriminatedBranch[],
  target: unknown,
): DiscriminatedBranch | undefined {
  if (typeof target !== 'string') return undefined;
  const sameName = branches.filter(
    ({ reference }) => reference !== undefined && nameOf(reference) === nameOf(target),
  );
  return (
    branches.find(({ reference }) => reference === target) ??
    (sameName.length === 1 ? sameName[0] : undefined)
  );
}

/** `Dog` for `Dog#`, `#/components/schemas/Dog` and `shared#/definitions/Dog`. */
function nameOf(reference: string): string {
  return reference.replace(/#?\/?$/, '').replace(/^.*[/#]/, '');
}
