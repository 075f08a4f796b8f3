/** Owns the members of node's objects that a runtime cannot serve. */
import { RuntimeUnsupported } from '../contract/errors.ts';

/**
 * Adds methods that only node's objects have. Each throws, and says so, instead of "is not a function".
 *
 * @param owner How the application reads the object: `reply.raw`.
 * @param wayOut What to do instead, besides serving the application with node:http.
 */
export function refuseMembers(
  prototype: object,
  owner: string,
  wayOut: string,
  names: readonly string[],
): void {
  for (const name of names)
    Object.defineProperty(prototype, name, {
      value(): never {
        throw new RuntimeUnsupported(
          `${owner}.${name}`,
          `${wayOut}, or serve the application with node:http: call \`listen\`, on Bun and Deno with the option \`engine: 'node'\``,
        );
      },
      configurable: true,
      writable: true,
    });
}
