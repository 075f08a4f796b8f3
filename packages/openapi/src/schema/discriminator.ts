/** Determines which value of a discriminator selects which branch. Like Ajv, it uses the constants of the branches. */
import { isObject, type Json } from '../json.ts';
import type { Conversion } from './convert-schema.ts';

/**
 * Writes the mapping that the schema declares, or that follows from the constants of its branches. Without a mapping,
 * OpenAPI treats a value of the property as the name of a component.
 */
export function mapDiscriminator(conversion: Conversion): void {
  const { converter, schema, location, out } = conversion;
  const mapping: Json = {};
  for (const { value, reference } of mappedIn(conversion))
    converter.targets.refer(mapping, value, converter.follow(reference, location), location);
  const { propertyName } = schema.discriminator as Json;
  out.discriminator = Object.keys(mapping).length > 0 ? { propertyName, mapping } : { propertyName };
}

interface Mapped {
  readonly value: string;
  readonly reference: string;
}

/** Branches that are not references are left out. */
function mappedIn({ converter, schema, location }: Conversion): Mapped[] {
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
    const target = converter.follow(reference, location).schema;
    return constantsOf(target, String(propertyName)).map((value) => ({ value, reference }));
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
