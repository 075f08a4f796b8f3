/** The URIs of schemas: identifiers and references, resolved against one another (RFC 3986). */

/** The URI in the `$id` of a schema, without the fragment; empty for a schema without one. @param schema The schema. */
export function uriOf(schema: unknown): string {
  const { $id } = Object(schema) as { $id?: unknown };
  return typeof $id === 'string' ? splitReference($id)[0] : '';
}

/** The URI and the fragment of a reference. @param reference The reference. */
export function splitReference(reference: string): [uri: string, fragment: string] {
  const hash = reference.indexOf('#');
  return hash === -1 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

/** A place for identifiers that are no URIs, such as `notes/list`, so that they can be resolved too. */
const origin = 'schema://host/';

// The same few references occur in very many places.
const resolved = new Map<string, string>();

/**
 * A URI, resolved against a base. Names such as `note`, which are no URIs, stay as they are.
 *
 * @param uri The URI, or a relative reference.
 * @param base The base URI.
 */
export function resolveUri(uri: string, base: string): string {
  if (uri === '' || !/[:/]/.test(base)) return uri;
  const key = `${base} ${uri}`;
  let known = resolved.get(key);
  if (known === undefined) {
    known = resolve(uri, base);
    if (resolved.size < 10_000) resolved.set(key, known);
  }
  return known;
}

function resolve(uri: string, base: string): string {
  if (URL.canParse(uri, base)) return new URL(uri, base).href;
  if (!URL.canParse(base, origin)) return uri;
  const absoluteBase = new URL(base, origin).href;
  if (!URL.canParse(uri, absoluteBase)) return uri;
  const { href } = new URL(uri, absoluteBase);
  if (!href.startsWith(origin)) return uri;
  const isFromRoot = base.startsWith('/') || uri.startsWith('/');
  return href.slice(origin.length - (isFromRoot ? 1 : 0));
}
