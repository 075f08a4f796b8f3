/** Computes the canonical path of a URL, which is the same for all spellings: as the router compares it, so that guards can do the same. */

/** The options of the router that change how it compares paths. */
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
 * @returns The path that the router compares. A path that cannot be decoded matches no route, and is returned as received.
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

/** Decodes a path. `%` and characters that separate the parts of a URL stay encoded; otherwise, two different paths could become equal. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return path;
  }
}
