/** Converts the URL pattern of a route to paths of OpenAPI: `/notes/:id(^\\d+$)` is `/notes/{id}`. */

export interface PathParameter {
  readonly name: string;
  /** The regular expression that the URL pattern has for the parameter. */
  readonly pattern: string | undefined;
}

export interface PathTemplate {
  readonly path: string;
  /** The path without the names of its parameters. OpenAPI treats paths that differ only in these names as one path. */
  readonly shape: string;
  readonly parameters: readonly PathParameter[];
  /** The names of the parameters in the path. */
  readonly names: readonly string[];
}

/** OpenAPI allows the asterisk of a wildcard as a name, but tools do not, so it gets another one. */
const wildcard = 'wildcard';

/** The path of a route; if its last parameter is optional, also the path without it. */
export function pathTemplates(url: string): PathTemplate[] {
  const whole = url.startsWith('/') ? url : `/${url}`;
  if (!whole.endsWith('?') || !/:[^/:.()-]+(?:\([^/]*\))?\?$/.test(whole)) return [parse(whole)];
  const without = whole.slice(0, whole.lastIndexOf('/'));
  return [parse(without === '' ? '/' : without), parse(whole.slice(0, -1))];
}

function parse(url: string): PathTemplate {
  const parameters: PathParameter[] = [];
  let path = '';
  let shape = '';
  let from = 0;
  for (let at = nextSpecial(url, 0); at < url.length; at = nextSpecial(url, from)) {
    const text = literal(url.slice(from, at));
    path += text;
    shape += text;
    if (url[at] === '*') {
      parameters.push({ name: '*', pattern: undefined });
      path += `{${wildcard}}`;
      shape += '{}';
      from = at + 1;
    } else if (url[at + 1] === ':') {
      path += ':';
      shape += ':';
      from = at + 2;
    } else {
      const end = endOfName(url, at + 1);
      const name = url.slice(at + 1, end);
      from = url[end] === '(' ? endOfGroup(url, end) : end;
      parameters.push({ name, pattern: from > end ? url.slice(end + 1, from - 1) : undefined });
      path += `{${name}}`;
      shape += '{}';
    }
  }
  const rest = literal(url.slice(from));
  const names = parameters.map(({ name }) => (name === '*' ? wildcard : name));
  return { path: path + rest, shape: shape + rest, parameters, names };
}

/** Text of a path. Its own braces are encoded, as clients send them, because braces mean parameters in OpenAPI. */
function literal(text: string): string {
  return text.includes('{') || text.includes('}') ? text.replaceAll('{', '%7B').replaceAll('}', '%7D') : text;
}

/** The next parameter, wildcard or escaped colon. */
function nextSpecial(url: string, from: number): number {
  for (let at = from; at < url.length; at++) if (url[at] === ':' || url[at] === '*') return at;
  return url.length;
}

function endOfName(url: string, from: number): number {
  let end = from;
  while (end < url.length && !'/-.(:'.includes(url[end]!)) end++;
  return end;
}

/** The index after the bracket that closes the one at `from`. */
function endOfGroup(url: string, from: number): number {
  let depth = 0;
  for (let at = from; at < url.length; at++) {
    if (url[at] === '\\') at++;
    else if (url[at] === '(') depth++;
    else if (url[at] === ')' && --depth === 0) return at + 1;
  }
  return url.length;
}
