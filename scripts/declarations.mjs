// Finds `any` in declarations: the compiler does not check `any`, so no public type may use it. Also finds types that
// an application's own declarations cannot name, because the compiler would then refuse to write them.
import { parseSync, Visitor } from 'oxc-parser';
import { findImports, lineAt } from './imports.mjs';

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

/**
 * @param {string} path
 * @param {string} source The declarations of an application, as the compiler wrote them.
 * @returns {string[]} one line for each type that comes from a file instead of a package
 */
export function findUnexported(path, source) {
  return findImports(path, source)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, line }) => `${path}:${line}: ${specifier}: export the type from the package's entry`);
}
