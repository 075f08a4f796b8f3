/** Builds and follows JSON Pointers (RFC 6901). */

export function joinPointer(pointer: string, segment: string | number): string {
  if (typeof segment === 'number' || !/[~/]/.test(segment)) return `${pointer}/${segment}`;
  return `${pointer}/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** The value at a pointer, or undefined. A segment is tried first unchanged, then percent-decoded (RFC 6901, section 6). */
export function followPointer(root: unknown, pointer: string): unknown {
  let value = root;
  for (const raw of pointer.split('/').slice(1)) {
    const segment = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null) return undefined;
    const key = Object.hasOwn(value, segment) ? segment : decodeSegment(segment);
    if (!Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
