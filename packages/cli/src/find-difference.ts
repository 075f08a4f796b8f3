/** Finds the first place where two JSON values differ, and says it in words. */

interface Names {
  readonly left: string;
  readonly right: string;
}

/** @returns `info.title is "a" in the file and "b" in the application`; `undefined` if the values are the same. */
export function findDifference(
  left: unknown,
  right: unknown,
  names: Names,
  path: readonly string[] = [],
): string | undefined {
  if (Object.is(left, right)) return undefined;
  if (!isObject(left) || !isObject(right) || Array.isArray(left) !== Array.isArray(right))
    return `${where(path)} is ${brief(left)} in ${names.left} and ${brief(right)} in ${names.right}`;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const place = [...path, key];
    if (!Object.hasOwn(left, key)) return `${where(place)} is missing in ${names.left}`;
    if (!Object.hasOwn(right, key)) return `${where(place)} is missing in ${names.right}`;
    const difference = findDifference(left[key], right[key], names, place);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function where(path: readonly string[]): string {
  return path.length === 0 ? 'the document' : path.join('.');
}

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
