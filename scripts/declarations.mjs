// Finds `any` in declarations: with it the compiler stops looking, so no public type may fall back to it.
import { parseSync, Visitor } from 'oxc-parser';
import { lineAt } from './imports.mjs';

/**
 * @param {string} path
 * @param {string} source A declaration file.
 * @returns {string[]} one line for each `any`: `path:line: any: what to change`
 */
export function findAny(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const found = [];
  new Visitor({ TSAnyKeyword: ({ start }) => found.push(start) }).visit(program);
  return found.map((start) => `${path}:${lineAt(source, start)}: any: say \`unknown\`, or what it is`);
}
