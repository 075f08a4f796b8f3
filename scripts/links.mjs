// Finds relative links of Markdown pages whose file or heading does not exist.
import { posix } from 'node:path';

/**
 * @param {Map<string, string>} pages the text of each page by its path, with forward slashes
 * @param {(path: string) => boolean} exists whether there is a file or folder of this path
 * @returns {string[]} one line for each broken link: its page, its line, and what is missing
 */
export function findBrokenLinks(pages, exists) {
  const anchors = new Map([...pages].map(([path, text]) => [path, findAnchors(text)]));
  const broken = [];
  for (const [page, text] of pages) {
    for (const { line, target } of findLinks(text)) {
      const problem = checkTarget(page, target, anchors, exists);
      if (problem !== undefined) broken.push(`${page}:${line}: ${problem}`);
    }
  }
  return broken;
}

function checkTarget(page, target, anchors, exists) {
  const [path, anchor] = target.split('#');
  const file = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path));
  if (!exists(file)) return `no file ${file}`;
  if (anchor && anchors.has(file) && !anchors.get(file).has(anchor))
    return `no heading #${anchor} in ${file}`;
  return undefined;
}

/** The anchors that GitHub creates for the headings of a page. A repeated one gets a number. */
function findAnchors(markdown) {
  const anchors = new Set();
  const uses = new Map();
  for (const [, heading] of removeCodeBlocks(markdown).matchAll(/^#{1,6} +(.*)$/gm)) {
    const base = toAnchor(heading);
    const count = uses.get(base) ?? 0;
    uses.set(base, count + 1);
    anchors.add(count === 0 ? base : `${base}-${count}`);
  }
  return anchors;
}

function toAnchor(heading) {
  const text = heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase();
  return text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
}

/** Finds the links and images of a page, except those to other sites. */
function findLinks(markdown) {
  const text = removeCodeBlocks(markdown).replaceAll(/`[^`\n]+`/g, (code) => ' '.repeat(code.length));
  const matches = [...text.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)];
  return matches
    .map(({ 1: target, index }) => ({ target, line: text.slice(0, index).split('\n').length }))
    .filter(({ target }) => !/^[a-z]+:|^\/\//i.test(target));
}

/** Replaces the fenced blocks with empty lines, so that the line numbers stay the same. */
function removeCodeBlocks(markdown) {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n.*?^ *\2[`~]*[ \t]*$/gms, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
}
