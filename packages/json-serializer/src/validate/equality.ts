/** Equality and copies of JSON values, as `const`, `enum` and `uniqueItems` need them. */

export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(right, key) &&
      isEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
  );
}

/** A copy, so that later changes of a schema do not affect compiled code. */
export function copyData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyData);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyData(inner)]));
}
