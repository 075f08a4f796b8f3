/** Builds, reads and follows JSON Pointers (RFC 6901), also as fragments of URIs (section 6). */

/**
 * Adds one step to a pointer.
 * @param pointer The pointer.
 * @param step A name or an index.
 */
export function joinPointer(pointer: string, step: string | number): string {
  return `${pointer}/${typeof step === 'number' ? step : encodeStep(step)}`;
}

/** Encodes a name as one step of a pointer. @param name The name. */
export function encodeStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/** The names in a pointer: `properties` and `a` in `/properties/a`. @param pointer The pointer. */
export function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decodeStep);
}

function decodeStep(step: string): string {
  return unescapeStep(decode(step));
}

function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** Percent-decodes a fragment; one that is not encoded stays as it is. @param fragment The fragment. */
export function decode(fragment: string): string {
  if (!fragment.includes('%')) return fragment;
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/**
 * The value that a pointer leads to, through own properties only; `undefined` if there is none. A name that contains `%` may be written
 * in the pointer as it is.
 *
 * @param root The value where it starts.
 * @param pointer The pointer; empty for the value itself.
 */
export function followPointer(root: unknown, pointer: string): unknown {
  return valuesAlong(root, pointer).at(-1);
}

/** The values that a pointer passes through, the root first, its target last. */
export function valuesAlong(root: unknown, pointer: string): unknown[] {
  const values = [root];
  for (const step of pointer.split('/').slice(1)) values.push(memberOf(values.at(-1), step));
  return values;
}

function memberOf(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  const decoded = decodeStep(step);
  const name = Object.hasOwn(value, decoded) ? decoded : unescapeStep(step);
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}
