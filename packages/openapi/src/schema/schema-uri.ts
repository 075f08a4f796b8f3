/** Resolves the URIs of schemas and of their references (RFC 3986). */

/** The base URI for relative identifiers (`Note`), so that they are URIs too. */
export const origin = 'schema://of.the/application/';

/** The URI of a schema: its `$id` without the fragment, or the URI of the schema around it. */
export function baseOf(schema: unknown, base: string): string {
  const { $id } = Object(schema) as { $id?: unknown };
  if (typeof $id !== 'string' || withoutHash($id) === '') return base;
  return resolveUri(base, withoutHash($id));
}

/** Whether a schema has its own identifier, and not only an anchor. */
export function isIdentified(schema: unknown): boolean {
  const { $id } = Object(schema) as { $id?: unknown };
  return typeof $id === 'string' && withoutHash($id) !== '';
}

/** An identifier without its fragment. */
export function withoutHash(id: string): string {
  const hash = id.indexOf('#');
  return hash === -1 ? id : id.slice(0, hash);
}

const resolved = new Map<string, string>();

/** A cache, because the same few references occur in very many places. */
export function resolveUri(base: string, reference: string): string {
  if (reference === '') return base;
  if (reference.startsWith('#')) return base + reference;
  const key = `${base} ${reference}`;
  let uri = resolved.get(key);
  if (uri === undefined) {
    uri = URL.canParse(reference, base) ? new URL(reference, base).href : reference;
    if (resolved.size < 10_000) resolved.set(key, uri);
  }
  return uri;
}

/** Percent-decodes a text; one that is not encoded stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
