// Finds exports of a package without a doc comment. Editors show doc comments on hover, so developers read them more
// than the reference.
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';
import { lineAt } from './imports.mjs';

/**
 * Checks everything that users can reach from the entry points: each exported declaration, the members of exported
 * interfaces and classes, and those of interfaces that they extend. A doc comment of a function must have an `@param`
 * for each of its parameters, and no other.
 *
 * @param {(path: string) => string | undefined} read Returns the text of a declaration file of the package.
 * @param {readonly string[]} entryPoints Paths of declaration files.
 * @returns {string[]} one line for each problem: `path:line: rule: what to change`
 */
export function findUndocumented(read, entryPoints) {
  const moduleOf = readOnce(read);
  const problems = new Set();
  const seen = new Set();
  const check = (path, name) => {
    const { module, declarations } = findDeclarations(moduleOf, path, name) ?? {};
    if (module === undefined || seen.has(declarations[0])) return;
    seen.add(declarations[0]);
    for (const problem of checkDeclarations(module, declarations, name)) problems.add(problem);
    for (const base of declarations.flatMap(basesOf)) check(module.path, base);
  };
  for (const entryPoint of entryPoints)
    for (const name of exportsOf(moduleOf, entryPoint)) check(entryPoint, name);
  return [...problems];
}

/** @returns {string[]} The names that an entry point exports, sorted. */
export function listExports(read, entryPoint) {
  return [...new Set(exportsOf(readOnce(read), entryPoint))].sort();
}

/** Returns a function that reads and parses each declaration file once. */
function readOnce(read) {
  const modules = new Map();
  return (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path, read(path)));
    return modules.get(path);
  };
}

// ------------------------------------------------------------------------------------------------------------- modules

/** The declarations, imports and exports of a declaration file. */
function readModule(path, source) {
  if (source === undefined) throw new Error(`there is no ${path}`);
  const { program, comments, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const module = { path, source, docs: docsByEnd(source, comments), declared: new Map(), from: new Map() };
  Object.assign(module, { exported: new Map(), all: [] });
  for (const node of program.body) readStatement(module, node);
  return module;
}

function readStatement(module, node) {
  const { declaration, source: from } = node;
  if (node.type === 'ImportDeclaration') {
    for (const { local, imported } of node.specifiers)
      module.from.set(local.name, { path: resolve(module, from), name: nameOf(imported ?? local) });
  } else if (node.type === 'ExportAllDeclaration') {
    // The exports of a namespace are public, too.
    module.all.push(resolve(module, from));
  } else if (node.type === 'ExportNamedDeclaration' && declaration === null) {
    for (const { local, exported } of node.specifiers) {
      const path = from === null ? module.path : resolve(module, from);
      module.exported.set(nameOf(exported), { path, name: nameOf(local) });
    }
  } else if (/^Export(Named|Default)Declaration$/.test(node.type)) {
    for (const name of declare(module, declaration, node.start))
      module.exported.set(name, { path: module.path, name });
  } else if (node.type === 'TSExportAssignment') {
    module.exported.set(node.expression.name, { path: module.path, name: node.expression.name });
  } else {
    declare(module, node, node.start);
    // After `export =` of a function, the exports of a namespace with the same name are public.
    if (node.type === 'TSModuleDeclaration' && node.id.type === 'Identifier')
      for (const inner of node.body.body) readStatement(module, inner);
  }
}

/** @returns {string[]} the names that a statement declares */
function declare(module, node, start) {
  const names =
    node.type === 'VariableDeclaration'
      ? node.declarations.map(({ id }) => id.name)
      : node.id?.name
        ? [node.id.name]
        : [];
  for (const name of names)
    module.declared.set(name, [...(module.declared.get(name) ?? []), { node, start }]);
  return names;
}

/** The path inside the package of an imported module; undefined for other packages. */
function resolve({ path }, { value }) {
  if (!value.startsWith('.')) return undefined;
  return posix.join(posix.dirname(path), value).replace(/(?:\.d)?\.([cm]?)[jt]s$/, '.d.$1ts');
}

function nameOf(node) {
  return node.name ?? node.value;
}

function exportsOf(moduleOf, path) {
  const { exported, all } = moduleOf(path);
  return [...exported.keys(), ...all.filter(Boolean).flatMap((target) => exportsOf(moduleOf, target))];
}

/** Follows re-exports and imports to the declaration of a name; undefined for names of other packages. */
function findDeclarations(moduleOf, path, name) {
  if (path === undefined) return undefined;
  const module = moduleOf(path);
  const declarations = module.declared.get(name);
  if (declarations !== undefined) return { module, declarations };
  const isElsewhere = (next) => next !== undefined && (next.path !== path || next.name !== name);
  const next = [module.exported.get(name), module.from.get(name)].find(isElsewhere);
  if (next !== undefined) return findDeclarations(moduleOf, next.path, next.name);
  for (const target of module.all) {
    const found = target && findDeclarations(moduleOf, target, name);
    if (found) return found;
  }
  return undefined;
}

function basesOf({ node }) {
  const clauses = node.extends ?? (node.superClass ? [{ expression: node.superClass }] : []);
  return clauses.map(({ expression }) => expression.name).filter(Boolean);
}

// ------------------------------------------------------------------------------------------------------------ comments

/** Finds doc comments, and where the code after them begins. Line comments may be in between. */
function docsByEnd(source, comments) {
  return comments
    .filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
    .map(({ value, end }) => ({ value, next: end + /^(?:\s|\/\/.*\n)*/.exec(source.slice(end))[0].length }));
}

/** The doc comment directly before a position. If there are several, the last one. */
function docAt({ docs }, start) {
  return docs.findLast(({ next }) => next === start)?.value;
}

function checkDeclarations(module, declarations, name) {
  const location = (start) => `${module.path}:${lineAt(module.source, start)}`;
  const isDocumented = declarations.some(({ start }) => docAt(module, start) !== undefined);
  const problems = [];
  if (!isDocumented) problems.push(`${location(declarations[0].start)}: no doc comment: \`${name}\``);
  for (const { node, start } of declarations) {
    problems.push(...checkParameters(location(start), docAt(module, start), node, name));
    for (const member of membersOf(node)) {
      const label = `${name}.${memberName(module, member)}`;
      const doc = docAt(module, member.start);
      if (doc === undefined) problems.push(`${location(member.start)}: no doc comment: \`${label}\``);
      else problems.push(...checkParameters(location(member.start), doc, member, label));
    }
  }
  return problems;
}

/** The public members of an interface, a class or an object type. Members such as `~types` are only for the compiler. */
function membersOf(node) {
  if (node.type === 'TSModuleDeclaration') return [];
  const members = node.body?.body ?? node.typeAnnotation?.members ?? [];
  return (Array.isArray(members) ? members : []).filter(
    (member) =>
      member.type !== 'TSIndexSignature' &&
      member.accessibility !== 'private' &&
      member.kind !== 'set' &&
      !(member.kind === 'constructor' && member.value.params.length === 0) &&
      member.key?.type !== 'PrivateIdentifier' &&
      !String(member.key && nameOf(member.key)).startsWith('~'),
  );
}

function memberName({ source }, { key, type }) {
  if (key) return source.slice(key.start, key.end);
  return type === 'TSConstructSignatureDeclaration' ? 'new' : 'call';
}

/** Compares the `@param`s of a doc comment with the parameters of a function. */
function checkParameters(location, doc, node, label) {
  const isMethod = /Method|CallSignature|ConstructSignature|Function/.test(node.type);
  // A property that contains a function may describe its parameters.
  const type = node.typeAnnotation?.typeAnnotation;
  const isFunction = type?.type === 'TSFunctionType' && doc?.includes('@param');
  if (doc === undefined || !(isMethod || isFunction)) return [];
  const documented = [...doc.matchAll(/@param +(?:\{[^}]*\} +)?\[?(\w+)/g)].map(([, name]) => name);
  const names = (node.params ?? node.value?.params ?? type?.params ?? [])
    .map((param) => param.argument?.name ?? param.parameter?.name ?? param.name)
    .filter((name) => name !== undefined && name !== 'this' && !name.startsWith('_'));
  return [
    ...names
      .filter((name) => !documented.includes(name))
      .map((name) => `${location}: no @param: \`${name}\` of \`${label}\``),
    ...documented
      .filter((name) => !names.includes(name) && names.length > 0)
      .map((name) => `${location}: wrong @param: \`${label}\` has no parameter \`${name}\``),
  ];
}
