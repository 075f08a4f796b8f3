// Reads the rules of docs/specification.md with the tests that they name. It does not read files itself.

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
