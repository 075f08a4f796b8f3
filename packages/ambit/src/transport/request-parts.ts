/** Reads the path and the fields of a web `Request` as node has them. */
import type { Exchange } from '../contract/exchange.ts';

/** Bun makes an object of all fields faster than an iterator does. */
export function headersOf({ headers, url }: Request): Exchange['requestHeaders'] {
  const { toJSON } = headers as { toJSON?(): Record<string, string> };
  const fields =
    toJSON === undefined ? (Object.fromEntries(headers) as Record<string, string>) : toJSON.call(headers);
  // Over the network, there always is the field.
  fields.host ??= url.slice(url.indexOf('://') + 3).split('/', 1)[0]!;
  return fields;
}

/** A URL of a `Request` is absolute and in its canonical form. It has no credentials, but may have a fragment. */
export function pathOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3);
  const hash = url.indexOf('#', slash);
  return hash === -1 ? url.slice(slash) : url.slice(slash, hash);
}
