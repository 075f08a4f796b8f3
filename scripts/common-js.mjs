// Owns a plugin for the bundler that writes a bundle as CommonJS. The bundler can do this too. But its code reads a
// property of the imported module at each use, and copies each module of Node for that, which makes start-up and
// requests slower.
import { parseSync, Visitor } from 'oxc-parser';

/** @param {Record<string, string>} [files] Paths that replace the names of libraries that are included in the package. */
export function commonJs(files) {
  return {
    name: 'common-js',
    renderChunk: (code, { fileName }) => ({ code: toCommonJs(fileName, code, files), map: null }),
  };
}

/**
 * Converts an ES module to CommonJS. Every line stays in its place, so that source maps stay correct.
 *
 * - The export with the name `module.exports` is what `require` returns; the other exports become its properties.
 * - `createRequire(import.meta.url)` becomes the module's own `require`, so that other bundlers see what is loaded.
 *
 * @throws if the module contains something that CommonJS, or a tool that loads CommonJS, cannot do: `import()` fails in
 *   Jest.
 */
export function toCommonJs(file, code, files = {}) {
  const { program, module, errors } = parseSync(file, code, { sourceType: 'module' });
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  if (module.dynamicImports.length > 0) throw new Error(`${file}: import() is not supported, use require`);
  const edits = [
    ...program.body.flatMap((node) => replaceStatement(file, node, files)),
    ...replaceMeta(program, files),
    ...program.body.flatMap(replaceNamespace),
  ];
  const written = `"use strict"; ${applyEdits(code, edits)}`;
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

function replaceStatement(file, node, files) {
  const { start, end, type } = node;
  if (type === 'ImportDeclaration') return [{ start, end, text: writeImport(file, node, files) }];
  if (type === 'ExportNamedDeclaration') return [{ start, end, text: writeExport(file, node) }];
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
function writeImport(file, { source, specifiers }, files) {
  const isOfOwn = source.value.startsWith('.');
  const imported = specifiers.map(({ imported, local }) => [imported?.name ?? 'default', local.name]);
  if (source.value === 'node:module' && imported.every(([name]) => name === 'createRequire')) return '';
  const path = Object.hasOwn(files, source.value) ? files[source.value] : source.value;
  const required = `require(${JSON.stringify(path)})`;
  const whole = imported.filter(([name]) => name === 'default').map(([, local]) => local);
  if (whole.length > 0 && isOfOwn) throw new Error(`${file}: import from ${source.value} by name`);
  const named = imported
    .filter(([name]) => name !== 'default')
    .map(([name, local]) => (name === local ? name : `${name}: ${local}`));
  const targets = named.length > 0 ? [...whole, `{ ${named.join(', ')} }`] : whole;
  if (targets.length === 0) return `${required};`;
  return `const ${targets.map((target) => `${target} = ${required}`).join(', ')};`;
}

function writeExport(file, { source, declaration, specifiers }) {
  if (source || declaration) throw new Error(`${file}: export as \`export { name }\``);
  const exported = specifiers.map(({ exported, local }) => [exported.name ?? exported.value, local.name]);
  const whole = exported.find(([name]) => name === 'module.exports');
  if (whole === undefined) return exported.map(([name, local]) => `exports.${name} = ${local};`).join(' ');
  // In Node, the default export is also what `require` returns.
  const others = exported.filter(([name]) => name !== 'module.exports' && name !== 'default');
  const statements = others.map(([name, local]) => `module.exports.${name} = ${local};`);
  return [`module.exports = ${whole[1]};`, ...statements].join(' ');
}

/** Replaces `createRequire(import.meta.url)`, under any name, and `import.meta.url`. */
function replaceMeta(program, files) {
  const requires = program.body
    .filter(({ type }) => type === 'VariableDeclaration')
    .flatMap(({ declarations }) => declarations)
    .filter(({ init }) => makesRequire(init))
    .map(({ id }) => id.name);
  const edits = [];
  const replace = ({ start, end }, text) => edits.push({ start, end, text });
  new Visitor({
    CallExpression: (node) => makesRequire(node) && replace(node, 'require'),
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
