// Finds the fenced code blocks of a Markdown text, with the line each one starts on.

/**
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
    } else open.lines.push(removeIndent(text, open.indent));
  }
  if (open) throw new Error(`${path}:${open.line - 1}: this code block is never closed`);
  return fences;
}

/** Removes the indentation of the fence from a line of code, because a block inside a list is indented as a whole. */
function removeIndent(text, width) {
  return text.slice(Math.min(width, text.length - text.trimStart().length));
}
