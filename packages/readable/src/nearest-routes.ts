/** Which routes was a request probably meant for, if no route matches it? */

/** A route of an application. */
export interface KnownRoute {
  /** Its methods, in capitals: `GET`. */
  readonly methods: readonly string[];
  /** The pattern: `/notes/:id`. */
  readonly url: string;
}

/** A request that no route matches. */
export interface UnmatchedRequest {
  /** In capitals. */
  readonly method: string;
  /** The path, without the query string. */
  readonly path: string;
}

/** Returns the candidate that is nearest to a name, and at most so many edits away. */
type FindNearest = (name: string, candidates: Iterable<string>, mostEdits: number) => string | undefined;

const mostRoutes = 3;
/** The `*` of a handler for all other requests says nothing about what exists. */
const everything = /^\/?\*$/;

/**
 * Finds the routes that a request was probably meant for: those of its path with another method, those whose path ends with it, because a
 * prefix is easily forgotten, and those whose path is almost the same.
 *
 * @param request The request.
 * @param routes All routes.
 * @param findNearest Compares names.
 * @returns At most three, as `POST /notes`.
 */
export function nearestRoutes(
  { method, path }: UnmatchedRequest,
  routes: Iterable<KnownRoute>,
  findNearest: FindNearest,
): string[] {
  const found = new Set<string>();
  const others = new Map<string, string>();
  for (const { methods, url } of routes) {
    if (everything.test(url)) continue;
    const route = `${methods.join(',')} ${url}`;
    const filled = fillIn(url, path);
    if (filled !== path) others.set(filled, others.get(filled) ?? route);
    else if (!methods.includes(method)) found.add(route);
  }
  if (path.length > 1) for (const [filled, route] of others) if (filled.endsWith(path)) found.add(route);
  // One edit in a short path, and at most four.
  const mostEdits = Math.max(1, Math.min(4, Math.floor(path.length / 4)));
  while (found.size < mostRoutes) {
    const nearest = findNearest(path, others.keys(), mostEdits);
    if (nearest === undefined) break;
    found.add(others.get(nearest)!);
    others.delete(nearest);
  }
  return [...found].slice(0, mostRoutes);
}

/** The URL of a route with the values of a path in place of its parameters. */
function fillIn(url: string, path: string): string {
  const values = path.split('/');
  return url
    .split('/')
    .map((part, i) => {
      if (part === '*') return values.slice(i).join('/');
      return part.startsWith(':') && !part.startsWith('::') && values[i] ? values[i] : part;
    })
    .join('/');
}
