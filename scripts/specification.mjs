// Reads the rules of docs/specification.md with the tests that they name, the titles of tests, and the rules that sources
// cite. It does not read files itself.

/**
 * The rules of the page, in order.
 *
 * @param {string} page
 * @returns {{ number: string, file: string, title: string }[]}
 */
export function readRules(page) {
  const rows = page.matchAll(/^\| (\d+\.\d+) \| .+ \| `([a-z-]+)`: (.+) \|$/gm);
  return [...rows].map(([, number, file, title]) => ({ number, file, title: title.replaceAll('\\|', '|') }));
}

/**
 * The titles of a test file, as written in the source, with `${…}`.
 *
 * @param {string} source
 * @returns {Set<string>}
 */
export function readTitles(source) {
  const calls = source.matchAll(/^\s*test\(\s*(['`"])((?:(?!\1).|\\.)*)\1,/gms);
  return new Set([...calls].map(([, , title]) => title.replaceAll("\\'", "'")));
}

/**
 * The rules that a source cites: `specification 5.2`, or several, `specification 3.3, 6.1`.
 *
 * @param {string} source
 * @returns {string[]}
 */
export function readCitations(source) {
  const citations = source.matchAll(/\bspecification (\d+\.\d+(?:, \d+\.\d+)*)/g);
  return [...citations].flatMap(([, numbers]) => numbers.split(', '));
}
