/** Determines which value of a discriminator selects which branch. Like Ajv, it uses the constants of the branches. */
import { isObject, type Json } from '../json.ts';
import type { Located } from './references.ts';

interface Mapped {
  readonly value: string;
  readonly reference: string;
}

/**
 * The mapping that the schema declares, or that follows from the constants of its branches. Branches that are not
 * references are left out.
 */
export function discriminatorMapping(schema: Json, follow: (reference: string) => Located): Mapped[] {
  const { propertyName, mapping } = schema.discriminator as Json;
  if (isObject(mapping)) {
    return Object.entries(mapping).flatMap(([value, reference]) =>
      typeof reference === 'string' ? [{ value, reference }] : [],
    );
  }
  const branches = [schema.oneOf ?? schema.anyOf ?? []].flat() as Json[];
  return branches.flatMap((branch) => {
    const { $ref: reference } = Object(branch) as Json;
    if (typeof reference !== 'string') return [];
    return constantsOf(follow(reference).schema, String(propertyName)).map((value) => ({ value, reference }));
  });
}

function constantsOf(branch: unknown, propertyName: string): string[] {
  const { properties } = Object(branch) as { properties?: Json };
  const { const: constant, enum: values } = Object(properties?.[propertyName]) as {
    const?: unknown;
    enum?: unknown[];
  };
  return [constant === undefined ? (values ?? []) : constant]
    .flat()
    .filter((value) => typeof value === 'string');
}
