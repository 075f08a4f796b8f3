// Finds `any` in declarations, because the compiler does not check it. Also finds types that the declarations of an
// application cannot refer to by a package name, because the compiler could not write these declarations.
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
  const positions = [];
  new Visitor({ TSAnyKeyword: ({ start }) => positions.push(start) }).visit(program);
  return positions.map((start) => `${path}:${lineAt(source, start)}: any: use \`unknown\` or the exact type`);
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
