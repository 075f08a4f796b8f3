// Finds exports that are not needed: code that no file uses, and values that no other file imports. It does not read
// files itself.
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { lineAt } from './imports.mjs';

const isTest = (path) => /\.test(-d)?\.[cm]?[jt]s$/.test(path) || path.includes('test/');

/**
 * @param {Map<string, string>} sources The text of each source by its path. Tests may need an export of a value, but code
 *   that only tests use is dead.
 * @param {readonly string[]} entryPoints The files whose exports are public, with what they re-export.
 * @returns {string[]} one line for each export: `path:line: rule: what to change`
 */
export function findUnusedExports(sources, entryPoints) {
  const modules = new Map([...sources].map(([path, source]) => [path, readModule(path, source)]));
  for (const entryPoint of entryPoints)
    if (!modules.has(entryPoint)) throw new Error(`there is no entry point ${entryPoint}`);
  const usedBySources = collectUses(modules, entryPoints, false);
  const usedByAll = collectUses(modules, entryPoints, true);
  return [...modules]
    .filter(([path]) => !isTest(path))
    .flatMap(([path, { exported, mentions }]) =>
      exported.flatMap(({ name, isType, line }) => {
        if (isUsed(usedBySources, path, name)) return [];
        if (mentions.get(name) === 1) return [`${path}:${line}: dead export: nothing uses \`${name}\``];
        if (isType || isUsed(usedByAll, path, name)) return [];
        return [`${path}:${line}: unneeded export: only this file uses \`${name}\``];
      }),
    );
}

const isUsed = (uses, path, name) => uses.get(path)?.has(name) || uses.get(path)?.has('*') || false;

/** The names that are imported from each file. `*` means all. */
function collectUses(modules, entryPoints, withTests) {
  const uses = new Map();
  const add = (target, name) => {
    const names = uses.get(target) ?? new Set();
    if (names.has(name)) return;
    uses.set(target, names.add(name));
    for (const next of modules.get(target)?.exportsAllOf ?? []) add(next, name);
  };
  for (const [path, { imported }] of modules)
    if (withTests || !isTest(path)) for (const { target, name } of imported) add(target, name);
  for (const path of entryPoints) add(path, '*');
  return uses;
}

/** The exports and imports of a file, and how often it mentions each name. */
function readModule(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const exported = [];
  const imported = [];
  const exportsAllOf = [];
  const mentions = new Map();
  const use = (from, name) => {
    if (typeof from?.value !== 'string' || !from.value.startsWith('.')) return;
    imported.push({ target: resolve(path, from.value), name });
  };
  const addExport = (node, isType) =>
    exported.push({ name: textOf(node), isType, line: lineAt(source, node.start) });
  new Visitor({
    Identifier: ({ name }) => mentions.set(name, (mentions.get(name) ?? 0) + 1),
    ImportDeclaration: ({ source: from, specifiers }) => {
      for (const specifier of specifiers) use(from, importedName(specifier));
    },
    ExportNamedDeclaration: ({ source: from, specifiers, declaration }) => {
      for (const { local } of specifiers) use(from, textOf(local));
      const isType = /^TS(Interface|TypeAlias)Declaration$/.test(declaration?.type);
      for (const id of declaredBy(declaration)) addExport(id, isType);
    },
    ExportAllDeclaration: ({ source: from, exported: as }) => {
      if (as) use(from, '*');
      else if (from.value.startsWith('.')) exportsAllOf.push(resolve(path, from.value));
    },
    TSImportType: ({ source: from, qualifier }) => use(from, qualifier ? textOf(qualifier) : '*'),
    ImportExpression: ({ source: from }) => use(from, '*'),
  }).visit(program);
  return { exported, imported, exportsAllOf, mentions };
}

function resolve(path, specifier) {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

function importedName({ type, imported }) {
  if (type === 'ImportSpecifier') return textOf(imported);
  return type === 'ImportDefaultSpecifier' ? 'default' : '*';
}

function textOf(node) {
  return node.type === 'TSQualifiedName' ? textOf(node.left) : (node.name ?? node.value);
}

function declaredBy(declaration) {
  if (declaration?.type === 'VariableDeclaration') return declaration.declarations.map(({ id }) => id);
  return declaration?.id ? [declaration.id] : [];
}
