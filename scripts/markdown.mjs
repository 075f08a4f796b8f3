// Reads Markdown pages: their code blocks, and their relative links whose file or heading does not exist.
import { posix } from 'node:path';

/**
 * The fenced code blocks of a page.
 *
 * @returns {{ info: string, line: number, code: string }[]} `line` is that of the block's first line of code
 * @throws when a fence is never closed
 */
export function findFences(path, markdown) {
  const fences = [];
  let open;
  for (const [i, text] of markdown.split(/\r?\n/).entries()) {
    const [, indent, marks, info] = /^( *)(`{3,}|~{3,})(.*)$/.exec(text) ?? [];
    if (open === undefined) {
      if (marks) open = { indent: indent.length, marks, info: info.trim(), line: i + 2, lines: [] };
    } else if (marks?.startsWith(open.marks) && info.trim() === '') {
      fences.push({ info: open.info, line: open.line, code: `${open.lines.join('\n')}\n` });
      open = undefined;
    } // A block inside a list is indented as a whole.
    else open.lines.push(text.slice(Math.min(open.indent, text.length - text.trimStart().length)));
  }
  if (open) throw new Error(`${path}:${open.line - 1}: this code block is never closed`);
  return fences;
}

/**
 * @param {Map<string, string>} pages the text of each page by its path, with forward slashes
 * @param {(path: string) => boolean} exists whether there is a file or folder of this path
 * @returns {string[]} one line for each broken link: its page, its line, and what is missing
 */
export function findBrokenLinks(pages, exists) {
  const anchors = new Map([...pages].map(([path, text]) => [path, findAnchors(text)]));
  return [...pages].flatMap(([page, text]) =>
    findLinks(text).flatMap(({ line, target }) => {
      const [path, anchor] = target.split('#');
      const file = path === '' ? page : posix.join(posix.dirname(page), decodeURIComponent(path));
      if (!exists(file)) return [`${page}:${line}: no file ${file}`];
      const isBroken = anchor && anchors.has(file) && !anchors.get(file).has(anchor);
      return isBroken ? [`${page}:${line}: no heading #${anchor} in ${file}`] : [];
    }),
  );
}

/** The anchors that GitHub creates for the headings of a page. A repeated one gets a number. */
function findAnchors(markdown) {
  const uses = new Map();
  const headings = [...removeCodeBlocks(markdown).matchAll(/^#{1,6} +(.*)$/gm)];
  return new Set(
    headings.map(([, heading]) => {
      const text = heading
        .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase();
      const anchor = text.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-');
      const count = uses.get(anchor) ?? 0;
      uses.set(anchor, count + 1);
      return count === 0 ? anchor : `${anchor}-${count}`;
    }),
  );
}

/** Finds the links and images of a page, except those to other sites. */
function findLinks(markdown) {
  const text = removeCodeBlocks(markdown).replaceAll(/`[^`\n]+`/g, (code) => ' '.repeat(code.length));
  return [...text.matchAll(/\[[^\]]*\]\(([^)\s]+)[^)]*\)/g)]
    .map(({ 1: target, index }) => ({ target, line: text.slice(0, index).split('\n').length }))
    .filter(({ target }) => !/^[a-z]+:|^\/\//i.test(target));
}

/** Replaces the fenced blocks with empty lines, so that the line numbers stay the same. */
function removeCodeBlocks(markdown) {
  return markdown.replaceAll(/^( *)(`{3,}|~{3,})[^\n]*\n.*?^ *\2[`~]*[ \t]*$/gms, (block) =>
    block.replaceAll(/[^\n]/g, ''),
  );
}
