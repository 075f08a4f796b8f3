// Finds exports of a package without a doc comment. Editors show doc comments on hover, so developers read them more
// than the reference.
import { posix } from 'node:path';
import { parseSync } from 'oxc-parser';

/**
 * Checks everything that users can reach from the entry points: each exported declaration, the members of exported
 * interfaces and classes, and those of interfaces that they extend. A doc comment of a function must have an `@param`
 * for each of its parameters, and no other.
 *
 * @param {(path: string) => string} read Returns the text of a declaration file of the package.
 * @param {readonly string[]} entryPoints Paths of declaration files.
 * @returns {string[]} one line for each problem: `path:line: rule: what to change`
 */
export function findUndocumented(read, entryPoints) {
  const { exportsOf, find } = readPackage(read);
  const problems = new Set();
  const seen = new Set();
  const check = (target) => {
    const { file, declarations } = find(target) ?? {};
    if (file === undefined || seen.has(declarations[0])) return;
    seen.add(declarations[0]);
    for (const problem of checkDeclarations(file, declarations, target.name)) problems.add(problem);
    for (const base of declarations.flatMap(({ node }) => basesOf(node)))
      check({ path: file.path, name: base });
  };
  for (const path of entryPoints) for (const name of exportsOf(path).keys()) check({ path, name });
  return [...problems];
}

/** @returns {string[]} The names that an entry point exports, sorted. */
export function listExports(read, entryPoint) {
  return [...readPackage(read).exportsOf(entryPoint).keys()].sort();
}

/** The declaration files of a package. Paths are undefined for those of other packages, which are not checked. */
function readPackage(read) {
  const files = new Map();
  const fileOf = (path) => {
    if (!files.has(path)) files.set(path, readFile(path, read(path)));
    return files.get(path);
  };
  const exportsOf = (path) => {
    if (path === undefined) return new Map();
    const { exported, all } = fileOf(path);
    return new Map([...all.flatMap((target) => [...exportsOf(target)]), ...exported]);
  };
  const find = ({ path, name }) => {
    if (path === undefined) return undefined;
    const file = fileOf(path);
    const declarations = file.declared.get(name);
    if (declarations !== undefined) return { file, declarations };
    const next = file.imported.get(name) ?? exportsOf(path).get(name);
    return next && find(next);
  };
  return { exportsOf, find };
}

/** What a file declares, and where what it imports and exports is declared: `all` are the files of `export *`. */
function readFile(path, source) {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const file = { path, source, declared: new Map(), imported: new Map(), exported: new Map(), all: [] };
  for (const node of program.body) readStatement(file, node);
  return file;
}

function readStatement(file, node) {
  const { type, declaration } = node;
  const from = node.source?.value;
  const path = from?.startsWith('.')
    ? posix.join(posix.dirname(file.path), from).replace(/(?:\.d)?\.([cm]?)[jt]s$/, '.d.$1ts')
    : undefined;
  const here = (name) => ({ path: file.path, name });
  if (type === 'ImportDeclaration')
    for (const { local, imported } of node.specifiers)
      file.imported.set(local.name, { path, name: nameOf(imported ?? local) });
  // The exports of a namespace are public, too.
  else if (type === 'ExportAllDeclaration') file.all.push(path);
  else if (type === 'ExportNamedDeclaration' && declaration === null)
    for (const { local, exported } of node.specifiers)
      file.exported.set(
        nameOf(exported),
        from === undefined ? here(nameOf(local)) : { path, name: nameOf(local) },
      );
  else if (type === 'TSExportAssignment') file.exported.set(node.expression.name, here(node.expression.name));
  else {
    const declared = declaration ?? node;
    const ids =
      declared.type === 'VariableDeclaration' ? declared.declarations.map(({ id }) => id) : [declared.id];
    for (const { name } of ids.filter((id) => id?.name)) {
      file.declared.set(name, [...(file.declared.get(name) ?? []), { node: declared, start: node.start }]);
      if (type.startsWith('Export')) file.exported.set(name, here(name));
    }
    // After `export =` of a function, the exports of a namespace with the same name are public.
    if (type === 'TSModuleDeclaration' && node.id.type === 'Identifier')
      for (const inner of node.body.body) readStatement(file, inner);
  }
}

const nameOf = (node) => node.name ?? node.value;

function basesOf(node) {
  const clauses = node.extends ?? (node.superClass ? [{ expression: node.superClass }] : []);
  return clauses.map(({ expression }) => expression.name).filter(Boolean);
}

function checkDeclarations({ path, source }, declarations, name) {
  const locate = ({ start }) => `${path}:${source.slice(0, start).split('\n').length}`;
  const own = declarations.map(({ node, start }) => ({
    node,
    start,
    label: name,
    doc: docAt(source, start),
  }));
  const members = declarations.flatMap(({ node }) =>
    membersOf(node).map((member) => {
      const { key, type, start } = member;
      const other = type === 'TSConstructSignatureDeclaration' ? 'new' : 'call';
      const label = `${name}.${key ? source.slice(key.start, key.end) : other}`;
      return { node: member, start, label, doc: docAt(source, start) };
    }),
  );
  // One doc comment is enough for all declarations of a name.
  const documented = own.some(({ doc }) => doc) ? members : [own[0], ...members];
  return [
    ...documented
      .filter(({ doc }) => doc === undefined)
      .map((it) => `${locate(it)}: no doc comment: \`${it.label}\``),
    ...[...own, ...members].flatMap((it) =>
      checkParameters(it).map((problem) => `${locate(it)}: ${problem}`),
    ),
  ];
}

/** The doc comment before a position. Only space and line comments may be in between. */
function docAt(source, start) {
  const end = source.lastIndexOf('*/', start);
  const begin = source.lastIndexOf('/*', end);
  const isBefore = end !== -1 && /^(?:\s|\/\/.*\n)*$/.test(source.slice(end + 2, start));
  return isBefore && source.startsWith('/**', begin) ? source.slice(begin, end) : undefined;
}

/** The public members of an interface, a class or an object type. Members such as `~types` are only for the compiler. */
function membersOf(node) {
  const members =
    node.type === 'TSModuleDeclaration' ? [] : (node.body?.body ?? node.typeAnnotation?.members);
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

/** Compares the `@param`s of a doc comment with the parameters of a function. */
function checkParameters({ doc, node, label }) {
  const isMethod = /Method|CallSignature|ConstructSignature|Function/.test(node.type);
  // A property that contains a function may describe its parameters.
  const type = node.typeAnnotation?.typeAnnotation;
  const isFunction = type?.type === 'TSFunctionType' && doc?.includes('@param');
  if (doc === undefined || !(isMethod || isFunction)) return [];
  const documented = [...doc.matchAll(/@param +(?:\{[^}]*\} +)?\[?(\w+)/g)].map(([, name]) => name);
  const parameters = node.params ?? node.value?.params ?? type?.params ?? [];
  const names = parameters
    .map((param) => param.argument?.name ?? param.parameter?.name ?? param.name)
    .filter((name) => name !== undefined && name !== 'this' && !name.startsWith('_'));
  const without = names.filter((name) => !documented.includes(name));
  // The comment names a parameter that is destructured as it likes.
  const isNamed = names.length > 0 && !parameters.some((param) => param.type === 'ObjectPattern');
  const wrong = documented.filter((name) => isNamed && !names.includes(name));
  return [
    ...without.map((name) => `no @param: \`${name}\` of \`${label}\``),
    ...wrong.map((name) => `wrong @param: \`${label}\` has no parameter \`${name}\``),
  ];
}
