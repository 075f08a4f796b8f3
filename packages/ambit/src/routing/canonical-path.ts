/** Owns the one text of a path, however a client spells it: what the router compares, so that guards can compare the same. */

/** Options of the router that change what it compares. */
export interface PathOptions {
  readonly caseSensitive?: boolean;
  readonly ignoreDuplicateSlashes?: boolean;
  readonly ignoreTrailingSlash?: boolean;
  readonly useSemicolonDelimiter?: boolean;
}

/** The first part of a target in absolute form (RFC 9112, 3.2.2). */
const origin = /^https?:\/\/[^/?#]*/i;

/**
 * @param target The path and the query string of a request.
 * @returns The path that the router compares. If it cannot be decoded, no route is looked for: it is then returned as received.
 */
export function canonicalPath(target: string, options: PathOptions): string {
  let path = decodePath(pathOf(target, options));
  if (options.ignoreDuplicateSlashes) path = path.replaceAll(/\/\/+/g, '/');
  if (options.ignoreTrailingSlash && path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
  return options.caseSensitive === false ? path.toLowerCase() : path;
}

function pathOf(target: string, { useSemicolonDelimiter }: PathOptions): string {
  const local = target.startsWith('/') ? target : target.replace(origin, '');
  const end = local.search(useSemicolonDelimiter ? /[?#;]/ : /[?#]/);
  return (end === -1 ? local : local.slice(0, end)) || '/';
}

/** Characters that can separate parts of a URL stay encoded, and so does `%`: otherwise, two different paths could become one. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path;
  }
}
