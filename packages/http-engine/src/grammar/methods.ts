/** Recognizes the methods that the engine serves. */

/** The methods that the engine serves by default. */
export const defaultMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Node handles these methods in its own way, or they change the kind of connection. */
const neverServed: ReadonlySet<string> = new Set(['CONNECT', 'PRI', 'M-SEARCH', 'SOURCE']);

interface Method {
  readonly name: string;
  /** The name and the space after it. */
  readonly bytes: Uint8Array;
}

export class MethodTable {
  readonly #byFirstByte: (readonly Method[] | undefined)[] = new Array(256).fill(undefined);

  constructor(names: readonly string[]) {
    for (const name of names) {
      if (!/^[A-Z]+$/.test(name) || neverServed.has(name)) continue;
      const bytes = Buffer.from(`${name} `, 'latin1');
      const first = bytes[0]!;
      this.#byFirstByte[first] = [...(this.#byFirstByte[first] ?? []), { name, bytes }];
    }
  }

  // HOT: once per request.
  /**
   * @returns The method that the bytes begin with, if a space follows it; `''` if more bytes are needed to know; `undefined`
   *   for any other method.
   */
  find(bytes: Uint8Array, start: number, end: number): string | undefined {
    const candidates = this.#byFirstByte[bytes[start]!];
    if (candidates === undefined) return undefined;
    let result: string | undefined;
    for (let i = 0; i < candidates.length; i++) {
      const method = candidates[i]!;
      const length = countMatching(method.bytes, bytes, start, end);
      if (length === method.bytes.length) return method.name;
      if (start + length === end) result = '';
    }
    return result;
  }
}

function countMatching(expected: Uint8Array, bytes: Uint8Array, start: number, end: number): number {
  const limit = Math.min(expected.length, end - start);
  let i = 0;
  while (i < limit && expected[i] === bytes[start + i]) i++;
  return i;
}
