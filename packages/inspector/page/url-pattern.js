// Reads URL patterns as the router does: `/a/:id(^\d+$)/:kind?/*`, with `::` for a colon.

/**
 * @typedef {object} PatternPart
 * @property {'text' | 'param' | 'wildcard'} kind
 * @property {string} text The text in the pattern.
 * @property {string} name The name of a parameter; `*` for a wildcard.
 * @property {boolean} isOptional
 */

/**
 * @param {string} pattern
 * @returns {PatternPart[]}
 */
export function parsePattern(pattern) {
  /** @type {PatternPart[]} */
  const parts = [];
  let text = '';
  const flush = () => {
    if (text !== '') parts.push({ kind: 'text', text, name: '', isOptional: false });
    text = '';
  };
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i];
    if (c === ':' && pattern[i + 1] === ':') {
      text += '::';
      i++;
    } else if (c === ':') {
      flush();
      const end = endOfParam(pattern, i + 1);
      const [name = ''] = pattern.slice(i + 1, end).split(/[(?]/, 1);
      const isOptional = pattern[end - 1] === '?';
      parts.push({ kind: 'param', text: pattern.slice(i, end), name, isOptional });
      i = end - 1;
    } else if (c === '*') {
      flush();
      parts.push({ kind: 'wildcard', text: '*', name: '*', isOptional: true });
    } else text += c;
  }
  flush();
  return parts;
}

/** The end of a parameter: after its name, its expression in parentheses, and the question mark of an optional one. */
function endOfParam(/** @type {string} */ pattern, /** @type {number} */ start) {
  let end = start;
  while (end < pattern.length && !/[/\-.:(*?]/.test(pattern[end] ?? '')) end++;
  if (pattern[end] === '(') {
    let depth = 0;
    do {
      if (pattern[end] === '\\') end++;
      else if (pattern[end] === '(') depth++;
      else if (pattern[end] === ')') depth--;
      end++;
    } while (depth > 0 && end < pattern.length);
  }
  return pattern[end] === '?' ? end + 1 : end;
}

/**
 * @param {string} pattern
 * @param {ReadonlyMap<string, string>} values The values by the names of the parameters.
 * @returns {string} A path. An optional parameter without a value is left out, with the slash before it.
 */
export function fillPattern(pattern, values) {
  let path = '';
  for (const { kind, text, name, isOptional } of parsePattern(pattern)) {
    const value = values.get(name) ?? '';
    if (kind === 'text') path += text.replaceAll('::', ':');
    else if (kind === 'wildcard') path += encodeURI(value).replace(/[?#]/g, encodeURIComponent);
    else if (value === '' && isOptional) path = path.replace(/\/$/, '');
    else path += encodeURIComponent(value);
  }
  return path === '' ? '/' : path;
}

/**
 * The opposite of `fillPattern`: the values of the parameters in a path.
 *
 * @param {string} pattern
 * @param {string} path A path without a query.
 * @returns {Map<string, string> | undefined} `undefined` if the path does not match.
 */
export function readPattern(pattern, path) {
  const parts = parsePattern(pattern);
  let source = '';
  parts.forEach(({ kind, text, isOptional }, i) => {
    if (kind === 'text') source += text.replaceAll('::', ':').replace(/[\\^$.|?+()[\]{}]/g, '\\$&');
    // Groups have names, because the expression of a parameter may have groups of its own.
    else if (kind === 'wildcard') source += `(?<p${i}>.*)`;
    else {
      const [, own = '[^/]+?'] = /^[^(]*\((.*)\)\??$/.exec(text) ?? [];
      const group = `(?<p${i}>${own.replace(/^\^|\$$/g, '')})`;
      // The slash before an optional parameter goes with it.
      source = isOptional && source.endsWith('/') ? `${source.slice(0, -1)}(?:/${group})?` : source + group;
    }
  });
  const found = new RegExp(`^${source}/?$`, 'i').exec(path);
  if (found === null) return undefined;
  const values = parts.map(({ name }, i) => [name, found.groups?.[`p${i}`]]);
  return new Map(values.flatMap(([name, value]) => (name && value ? [[name, decode(value)]] : [])));
}

function decode(/** @type {string} */ text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
