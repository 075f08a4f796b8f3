/** JSON Pointers in URI fragments (RFC 6901, 6): how schemas say where something stands. */

/** A name as one step of a pointer. */
export function encodeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The names that a pointer goes through: those of `/properties/a` are `properties` and `a`. */
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

/** What a pointer leads to, through own properties only; `undefined` where there is nothing. */
export function resolvePointer(document: unknown, pointer: string): unknown {
  let part = document;
  for (const name of stepsOf(pointer)) {
    part = Object.hasOwn(Object(part), name) ? (part as Record<string, unknown>)[name] : undefined;
  }
  return part;
}
