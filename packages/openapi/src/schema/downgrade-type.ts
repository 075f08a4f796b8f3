/** Converts types and limits of numbers to their form in OpenAPI 3.0. */
import type { Json } from '../json.ts';

/** 3.0 has no `null` and no lists of types. */
export function downgradeType(out: Json, declaredType: unknown): void {
  if (declaredType === undefined) return;
  const types = [declaredType].flat() as string[];
  const others = types.filter((type) => type !== 'null');
  const isNullable = others.length < types.length;
  if (others.length === 1) {
    out.type = others[0];
    if (isNullable) out.nullable = true;
  } else if (others.length === 0) {
    Object.assign(out, nullSchema());
  } else {
    const union = others.map((type) => (type === 'array' ? { type, items: {} } : { type }) as Json);
    if (isNullable) union.push(nullSchema());
    if (out.anyOf === undefined) out.anyOf = union;
    else out.allOf = [...((out.allOf as Json[]) ?? []), { anyOf: union }];
  }
  // 3.0 requires `items` if the type is an array.
  if (out.type === 'array') out.items ??= {};
}

/** A schema for null only. `nullable` has an effect only next to a type, so it needs one. */
function nullSchema(): Json {
  return { type: 'string', nullable: true, enum: [null] };
}

/** In 3.0, `exclusiveMinimum` and `exclusiveMaximum` are booleans next to the limits. */
export function downgradeLimits(
  out: Json,
  { exclusiveMinimum, exclusiveMaximum, minimum, maximum }: Json,
): void {
  if (typeof exclusiveMinimum === 'number' && !(typeof minimum === 'number' && minimum > exclusiveMinimum)) {
    Object.assign(out, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  }
  if (typeof exclusiveMaximum === 'number' && !(typeof maximum === 'number' && maximum < exclusiveMaximum)) {
    Object.assign(out, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  }
}
