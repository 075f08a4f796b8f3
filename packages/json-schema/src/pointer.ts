/** Builds, reads and follows JSON Pointers (RFC 6901), also as fragments of URIs (section 6). */

/**
 * Adds one step to a pointer.
 *
 * @param pointer The pointer.
 * @param step A name or an index.
 */
export function joinPointer(pointer: string, step: string | number): string {
  return `${pointer}/${typeof step === 'number' ? step : encodeStep(step)}`;
}

/**
 * Encodes a name as one step of a pointer.
 *
 * @param name The name.
 */
export function encodeStep(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/**
 * The names in a pointer: `properties` and `a` in `/properties/a`.
 *
 * @param pointer The pointer.
 */
export function stepsOf(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decodeStep);
}

function decodeStep(step: string): string {
  return decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * Percent-decodes a fragment; one that is not encoded stays as it is.
 *
 * @param fragment The fragment.
 */
export function decode(fragment: string): string {
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
  let value = root;
  for (const step of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    const decoded = decodeStep(step);
    const name = Object.hasOwn(value, decoded) ? decoded : step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
