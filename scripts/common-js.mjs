// A plugin for the bundler that writes a bundle as CommonJS. The bundler can do this, too, but its code reads a property
// of the imported module at each use, and copies the exports of each module of Node. This makes start-up and requests
// slower.
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** @param {Record<string, string>} [files] Paths that replace the names of libraries that are included in the package. */
export function commonJs(files) {
  return {
    name: 'common-js',
    generateBundle(_options, output) {
      const chunks = Object.values(output).filter(({ type }) => type === 'chunk');
      const runtime = chunks.find(({ name }) => name === 'rolldown-runtime');
      if (runtime !== undefined) delete output[runtime.fileName];
      const written = chunks.filter((chunk) => chunk !== runtime);
      const bundle = { runtime, ...findLateChunks(written) };
      for (const chunk of written) chunk.code = toCommonJs(chunk.fileName, chunk.code, files, bundle);
    },
  };
}

/**
 * Finds the parts of a bundle: the entry point names the exports of the main chunk, and all others are loaded late.
 *
 * @returns Nothing if none is loaded late.
 */
function findLateChunks(chunks) {
  if (!chunks.some(({ isDynamicEntry }) => isDynamicEntry)) return undefined;
  const [entryPoint, ...others] = chunks.filter(({ isEntry }) => isEntry);
  const [main] = chunks.filter(({ fileName }) => entryPoint.imports.includes(fileName));
  if (others.length > 0 || main === undefined)
    throw new Error('late modules need one entry point and one main chunk');
  const { program } = parseSync(entryPoint.fileName, entryPoint.code, { sourceType: 'module' });
  const publicNames = program.body
    .filter(({ type }) => type === 'ImportDeclaration')
    .flatMap(({ specifiers }) => specifiers.map(({ imported }) => imported.name));
  const lateFiles = chunks
    .map(({ fileName }) => fileName)
    .filter((file) => ![entryPoint.fileName, main.fileName].includes(file));
  return { mainFile: main.fileName, lateFiles, publicNames };
}

/**
 * Converts an ES module to CommonJS. Line numbers do not change, so that source maps stay correct.
 *
 * - The export with the name `module.exports` is what `require` returns; the other exports become its properties.
 * - `createRequire(import.meta.url)` becomes the module's own `require`, so that other bundlers see what is loaded.
 * - A late chunk exports a function, which runs its code and returns its exports. It gets the table of chunks, which the
 *   main chunk declares, and never loads the main chunk itself: that could be another instance, for example after
 *   `jest.resetModules()`.
 *
 * @param {string} file Its path in the output.
 * @param {string} code
 * @param {Record<string, string>} [files] Paths that replace the names of libraries.
 * @param {object} [bundle] The parts of the bundle.
 * @param {{ fileName: string, code: string }} [bundle.runtime] The helpers of the bundler. Each chunk gets a copy of them.
 * @param {string} [bundle.mainFile] The chunk that the entry point loads, if other chunks are loaded late.
 * @param {string[]} [bundle.lateFiles]
 * @param {string[]} [bundle.publicNames] The exports of the main chunk that its entry point names. Late chunks may use all.
 * @throws if the module contains something that CommonJS, or a tool that loads CommonJS, cannot do: `import()` fails in
 *   Jest.
 */
export function toCommonJs(file, code, files = {}, bundle = {}) {
  const { program, errors } = parseSync(file, code, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const output = { ...bundle, file, files, isLate: bundle.lateFiles?.includes(file) ?? false };
  const edits = [
    ...program.body.flatMap((node) => replaceStatement(output, node)),
    ...replaceMeta(program, output),
    ...program.body.flatMap(replaceNamespace),
  ];
  const written = `"use strict"; ${beginModule(output, program)}${applyEdits(code, edits)}`;
  const { errors: left } = parseSync(file, written, { sourceType: 'script' });
  if (left.length > 0) throw new Error(`${file}: not CommonJS: ${left[0].message}`);
  return written;
}

/** Applies edits `{ start, end, text }`. An edit inside another one is left out. */
function applyEdits(code, edits) {
  let written = '';
  let at = 0;
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at) continue;
    written += code.slice(at, start) + text + code.slice(start, end).replace(/[^\n]/g, '');
    at = end;
  }
  return written + code.slice(at);
}

/**
 * The code before that of a chunk. A late chunk is a function in parentheses, because V8 compiles such a function
 * together with the file.
 */
function beginModule({ file, mainFile, lateFiles, isLate }, program) {
  if (isLate) return 'module.exports = (function (__chunks) { ';
  if (mainFile !== file) return '';
  const shared = listExports(program).filter(([name]) => name !== 'require');
  const variable = shared.find(([, local]) => isVariable(program, local));
  if (variable) throw new Error(`${file}: \`${variable[1]}\` changes, so a late chunk cannot have its value`);
  const own = `const __chunks = { ${JSON.stringify(file)}: () => (${writeObject(shared)}) };`;
  const addLate =
    'const __late = (file, load) => { __chunks[file] = () => { const loaded = load()(__chunks); __chunks[file] = () => loaded; return loaded; }; };';
  const late = lateFiles.map(
    (late) => `__late(${JSON.stringify(late)}, () => require(${JSON.stringify(pathFrom(file, late))}));`,
  );
  return `${[own, addLate, ...late].join(' ')} `;
}

function pathFrom(file, other) {
  const path = posix.relative(posix.dirname(file), other);
  return path.startsWith('.') ? path : `./${path}`;
}

function isVariable({ body }, name) {
  return body.some(
    ({ kind, declarations = [] }) => kind === 'let' && declarations.some(({ id }) => id.name === name),
  );
}

/** @returns {[string, string][]} The name of each export, and its local name. */
function listExports({ body }) {
  return body
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap(({ specifiers }) => specifiers)
    .map(({ exported, local }) => [exported.name ?? exported.value, local.name]);
}

function writeObject(members) {
  return `{ ${members.map(([name, local]) => (name === local ? name : `${name}: ${local}`)).join(', ')} }`;
}

function replaceStatement(output, node) {
  const { start, end, type } = node;
  const { file } = output;
  if (type === 'ImportDeclaration') return [{ start, end, text: writeImport(output, node) }];
  if (type === 'ExportNamedDeclaration') return [{ start, end, text: writeExport(output, node) }];
  if (type.startsWith('Export')) throw new Error(`${file}: export as \`export { name }\``);
  const isRequire =
    type === 'VariableDeclaration' && node.declarations.some(({ init }) => makesRequire(init));
  return isRequire ? [{ start, end, text: '' }] : [];
}

/**
 * A namespace, `export * as errors`, is an object with a getter for each name in the bundle. If all its values are declared
 * before it, it becomes an object with these values, which is created in a tenth of the time.
 */
function replaceNamespace({ type, declarations }, index, body) {
  const [init] = type === 'VariableDeclaration' ? declarations.map(({ init }) => init) : [];
  if (init?.type !== 'CallExpression' || init.callee.name !== '__exportAll') return [];
  const declared = new Set(body.slice(0, index).flatMap(listNames));
  const members = init.arguments[0].properties.map(({ key, value }) => [key.name, value.body.name]);
  if (!members.every(([, local]) => declared.has(local))) return [];
  const values = members.map(([name, local]) => `${name}: ${local}`);
  const text = `Object.freeze({ __proto__: null, ${values.join(', ')} })`;
  return [{ start: init.start, end: init.end, text }];
}

function listNames({ id, declarations = [] }) {
  return [id, ...declarations.map((declaration) => declaration.id)].map((node) => node?.name);
}

/** The default export of a CommonJS module, and its namespace, are what `require` returns. */
function writeImport({ file, files, isLate, runtime }, { source, specifiers }) {
  const isOwnChunk = source.value.startsWith('.');
  const target = posix.join(posix.dirname(file), source.value);
  if (target === runtime?.fileName) return inline(runtime.code);
  const imported = specifiers
    .map(({ imported, local }) => [imported?.name ?? 'default', local.name])
    .filter(([name]) => !isOwnChunk || name !== 'require');
  if (source.value === 'node:module' && imported.every(([name]) => name === 'createRequire')) return '';
  const path = Object.hasOwn(files, source.value) ? files[source.value] : source.value;
  const required =
    isOwnChunk && isLate ? `__chunks[${JSON.stringify(target)}]()` : `require(${JSON.stringify(path)})`;
  const defaults = imported.filter(([name]) => name === 'default').map(([, local]) => local);
  if (defaults.length > 0 && isOwnChunk) throw new Error(`${file}: import from ${source.value} by name`);
  const named = imported
    .filter(([name]) => name !== 'default')
    .map(([name, local]) => (name === local ? name : `${name}: ${local}`));
  const targets = named.length > 0 ? [...defaults, `{ ${named.join(', ')} }`] : defaults;
  if (targets.length === 0) return `${required};`;
  return `const ${targets.map((target) => `${target} = ${required}`).join(', ')};`;
}

/** The declarations of a module, in one line. */
function inline(code) {
  const { program } = parseSync('runtime.js', code, { sourceType: 'module' });
  const declarations = program.body.filter(({ type }) => !/^(Import|Export)/.test(type));
  return declarations.map(({ start, end }) => code.slice(start, end).replace(/\s+/g, ' ')).join(' ');
}

function writeExport({ file, isLate, mainFile, publicNames }, node) {
  if (node.source || node.declaration) throw new Error(`${file}: export as \`export { name }\``);
  const all = listExports({ body: [node] });
  if (isLate) return `return ${writeObject(all)}; });`;
  const exported = file === mainFile ? all.filter(([name]) => publicNames.includes(name)) : all;
  const moduleExports = exported.find(([name]) => name === 'module.exports');
  if (moduleExports === undefined)
    return exported.map(([name, local]) => `exports.${name} = ${local};`).join(' ');
  // In Node, the default export is also what `require` returns.
  const others = exported.filter(([name]) => name !== 'module.exports' && name !== 'default');
  const statements = others.map(([name, local]) => `module.exports.${name} = ${local};`);
  return [`module.exports = ${moduleExports[1]};`, ...statements].join(' ');
}

/** Replaces `createRequire(import.meta.url)`, under any name, `import.meta.url`, and `import()` of a late chunk. */
function replaceMeta(program, { file, files, lateFiles = [] }) {
  const imported = program.body.flatMap(({ type, specifiers }) =>
    type === 'ImportDeclaration' ? specifiers.filter(({ imported }) => imported?.name === 'require') : [],
  );
  const declared = program.body
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations)
    .filter(({ init }) => makesRequire(init))
    .map(({ id }) => id);
  const requires = [...declared, ...imported.map(({ local }) => local)].map(({ name }) => name);
  const edits = [];
  const replace = ({ start, end }, text) => edits.push({ start, end, text });
  const loadLate = ({ source }) => {
    const target = posix.join(posix.dirname(file), source.value ?? '');
    if (!lateFiles.includes(target)) throw new Error(`${file}: import() is not supported, use require`);
    return `__chunks[${JSON.stringify(target)}]()`;
  };
  new Visitor({
    ImportExpression: (node) => replace(node, loadLate(node)),
    CallExpression: (node) => {
      if (makesRequire(node)) replace(node, 'require');
      // A module that shares its chunk with others: `import("./chunk.js").then((n) => n.module_exports)`.
      else if (node.callee.object?.type === 'ImportExpression')
        replace(node, `${loadLate(node.callee.object)}.${node.arguments[0].body.property.name}`);
    },
    MemberExpression: (node) => isModuleUrl(node) && replace(node, moduleUrl),
    Literal: (node) => Object.hasOwn(files, node.value) && replace(node, JSON.stringify(files[node.value])),
    Identifier: (node) => requires.includes(node.name) && replace(node, 'require'),
  }).visit(program);
  return edits;
}

// If an application is bundled to an ES module, `__filename` does not exist, but all code is in one file.
const moduleUrl =
  '(typeof __filename === "string" ? require("node:url").pathToFileURL(__filename).href : "file:///")';

function makesRequire(node) {
  const isCall = node?.type === 'CallExpression' && node.callee.name === 'createRequire';
  return isCall && isModuleUrl(node.arguments[0]);
}

function isModuleUrl({ type, object, property }) {
  return type === 'MemberExpression' && object.type === 'MetaProperty' && property.name === 'url';
}
