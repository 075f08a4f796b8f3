/** Reads and writes JSON Pointers in URI fragments (RFC 6901, 6). */

/** Encodes a name as one step of a pointer. */
export function encodeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Returns the names in a pointer: `properties` and `a` in `/properties/a`. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(decodeStep);
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return step;
  }
}

/** Returns the value that a pointer leads to, through own properties only; `undefined` if there is none. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let part = document;
  for (const name of stepsOf(pointer)) {
    part = Object.hasOwn(Object(part), name) ? (part as Record<string, unknown>)[name] : undefined;
  }
  return part;
}
