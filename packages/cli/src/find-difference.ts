/** Finds the first difference between two JSON values, and describes it in words. */

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
    return `${formatPath(path)} is ${abbreviate(left)} in ${names.left} and ${abbreviate(right)} in ${names.right}`;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const childPath = [...path, key];
    if (!Object.hasOwn(left, key)) return `${formatPath(childPath)} is missing in ${names.left}`;
    if (!Object.hasOwn(right, key)) return `${formatPath(childPath)} is missing in ${names.right}`;
    const difference = findDifference(left[key], right[key], names, childPath);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function formatPath(path: readonly string[]): string {
  return path.length === 0 ? 'the document' : path.join('.');
}

function abbreviate(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
