/** Lists the names of the parameters in the path of a route, as the router reads them. The name of a wildcard is `*`. */

export function parameterNames(path: string): readonly string[] {
  if (!path.includes(':') && !path.includes('*')) return [];
  const names: string[] = [];
  for (let at = 0; at < path.length; at++) {
    if (path[at] === '*') names.push('*');
    else if (path[at] === ':' && path[at + 1] === ':') at++;
    else if (path[at] === ':') {
      const end = endOfName(path, at + 1);
      const name = path.slice(at + 1, end);
      names.push(name.endsWith('?') ? name.slice(0, -1) : name);
      at = endOfPattern(path, end) - 1;
    }
  }
  return names;
}

function endOfName(path: string, from: number): number {
  let end = from;
  while (end < path.length && !'/-.('.includes(path[end]!)) end++;
  return end;
}

/** Returns the index after the pattern in parentheses that begins at `at`; `at` if none does. */
function endOfPattern(path: string, at: number): number {
  if (path[at] !== '(') return at;
  let open = 0;
  for (let end = at; end < path.length; end++) {
    if (path[end] === '\\') end++;
    else if (path[end] === '(') open++;
    else if (path[end] === ')' && --open === 0) return end + 1;
  }
  return path.length;
}
