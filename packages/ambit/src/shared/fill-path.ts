/** Reads the parameters in the path of a route: fills them with values, which gives the path of a request, and lists their names. */

import { toText } from './call-values.ts';

/** The characters that end the name of a parameter. */
const nameEnds = '/-.(';

/**
 * @param values The values by name. The name of a wildcard is `*`, and its value keeps its slashes.
 * @throws {TypeError} if a parameter has no value, or if the path would have a segment `.` or `..`, because URLs that contain one lead to
 *   another path (RFC 3986, 5.2.4). The message names the path.
 */
export function fillPath(path: string, values: Readonly<Record<string, unknown>> = {}): string {
  let filled = '';
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '*') filled += encode('*').replaceAll('%2F', '/');
    else if (path[at] !== ':') filled += path[at];
    else if (path[at + 1] === ':') filled += path[++at];
    else {
      const end = endOfName(path, at + 1);
      const isOptional = path[end - 1] === '?';
      const name = path.slice(at + 1, isOptional ? end - 1 : end);
      if (!isOptional || (values[name] ?? undefined) !== undefined) filled += encode(name);
      else if (filled.endsWith('/')) filled = filled.slice(0, -1);
      at = skipPattern(path, end) - 1;
    }
  }
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(filled))
    throw new TypeError(`'${filled}' leads to another path than ${path}: a segment must not be '.' or '..'`);
  return filled || '/';

  function encode(name: string): string {
    const value = values[name];
    if (value === undefined || value === null || value === '')
      throw new TypeError(`no value for '${name}' of ${path}`);
    return encodeURIComponent(toText(value, name));
  }
}

/** Lists the names of the parameters, as the router reads them. The name of a wildcard is `*`. */
export function parameterNames(path: string): readonly string[] {
  const names: string[] = [];
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '*') names.push('*');
    else if (path[at] === ':' && path[at + 1] === ':') at++;
    else if (path[at] === ':') {
      const end = endOfName(path, at + 1);
      const name = path.slice(at + 1, end);
      names.push(name.endsWith('?') ? name.slice(0, -1) : name);
      at = skipPattern(path, end) - 1;
    }
  }
  return names;
}

function endOfName(path: string, from: number): number {
  let end = from;
  while (end < path.length && !nameEnds.includes(path[end]!)) end++;
  return end;
}

/** Returns the index after the pattern in parentheses that begins at `at`; `at` if none does. */
function skipPattern(path: string, at: number): number {
  if (path[at] !== '(') return at;
  let open = 0;
  for (let end = at; end < path.length; end++) {
    if (path[end] === '\\') end++;
    else if (path[end] === '(') open++;
    else if (path[end] === ')' && --open === 0) return end + 1;
  }
  return path.length;
}
