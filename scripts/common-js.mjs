// A plugin for the bundler that writes a bundle as CommonJS. The bundler can do this, too, but its code reads a property
// of the imported module at each use, and copies the exports of each module of Node. This makes start-up and requests
// slower.
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** @param {Record<string, string>} files Paths that replace the names of libraries that are included in the package. */
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

/** The parts of a bundle with late chunks: the entry point names the exports of the main chunk, and all others are loaded late. */
function findLateChunks(chunks) {
  if (!chunks.some(({ isDynamicEntry }) => isDynamicEntry)) return undefined;
  const [entryPoint, ...others] = chunks.filter(({ isEntry }) => isEntry);
  const [main] = chunks.filter(({ fileName }) => entryPoint.imports.includes(fileName));
  if (others.length > 0 || main === undefined)
    throw new Error('late modules need one entry point and one main chunk');
  const late = chunks.filter((chunk) => chunk !== entryPoint && chunk !== main);
  const publicNames = readNames(entryPoint.code).map(([name]) => name);
  return { mainFile: main.fileName, lateFiles: late.map(({ fileName }) => fileName), publicNames };
}

const importStatement = /^import (?:(.+) from )?"([^"]+)";$/gm;
const exportStatement = /^export (\{.*\});$/m;
const requireStatement = /^const ([\w$]+) = createRequire\(import\.meta\.url\);$/gm;
/** Of a module that shares its chunk with others, the bundler takes a member. */
const lateImport = /\bimport\("(\.[^"]+)"\)(?:\.then\(\(n\) => n(\.[\w$]+)\))?/g;
const namespace = /__exportAll\(\{([^}]*)\}\)/g;
// If an application is bundled to an ES module, `__filename` does not exist, but all code is in one file.
const moduleUrl =
  '(typeof __filename === "string" ? require("node:url").pathToFileURL(__filename).href : "file:///")';

/**
 * Converts an ES module of the bundler to CommonJS: one statement a line imports at its beginning, and one exports at its end.
 * Line numbers do not change, so that source maps stay correct.
 *
 * - The export with the name `module.exports` is what `require` returns; the other exports become its properties.
 * - `createRequire(import.meta.url)` becomes the module's own `require`, so that other bundlers see what is loaded.
 * - A late chunk exports a function, which runs its code and returns its exports. It gets the table of chunks, which the
 *   main chunk declares, and never loads the main chunk itself: that could be another instance, for example after
 *   `jest.resetModules()`.
 *
 * @param {object} bundle Its late chunks and its main chunk, the exports that the entry point names, and the `runtime`: the
 *   helpers of the bundler, of which each chunk gets a copy.
 * @throws if the module contains something that CommonJS, or a tool that loads CommonJS, cannot do: `import()` fails in
 *   Jest.
 */
function toCommonJs(file, code, files, bundle) {
  const chunk = { ...bundle, file, isLate: bundle.lateFiles?.includes(file) ?? false };
  const [header] = /^(?:import .*(?:\n|$)|\n)*/.exec(code);
  let written =
    header.replace(importStatement, (_, names, from) => writeImport(chunk, from, names)) +
    code.slice(header.length).replace(exportStatement, (_, names) => writeExport(chunk, readNames(names)));
  for (const name of [...code.matchAll(requireStatement)]
    .map(([, made]) => made)
    .concat(importedRequires(header)))
    written = written.replace(requireStatement, '').replace(wholeWord(name), 'require');
  written = written
    .replaceAll('createRequire(import.meta.url)', 'require')
    .replaceAll('import.meta.url', moduleUrl)
    .replace(lateImport, (_, path, member = '') => writeLoad(chunk, path) + member)
    .replace(namespace, (all, members, index, text) => writeNamespace(all, members, text.slice(0, index)));
  for (const [name, path] of Object.entries(files))
    written = written.replaceAll(`require("${name}")`, `require("${path}")`);
  written = `"use strict"; ${beginModule(chunk, code)}${written}`;
  const { program, errors } = parseSync(file, written, { sourceType: 'script' });
  if (errors.length > 0) throw new Error(`${file}: not CommonJS: ${errors[0].message}`);
  const refuse = () => {
    throw new Error(`${file}: import() is not supported, use require`);
  };
  new Visitor({ ImportExpression: refuse }).visit(program);
  return written;
}

/** The pairs of `{ a, b as c }`: what stands before `as` and after it. */
function readNames(list) {
  const [, text = ''] = /\{(.*)\}/.exec(list) ?? [];
  const pairs = text.split(',').map((pair) => pair.trim().split(' as '));
  return pairs.filter(([name]) => name !== '').map(([name, other = name]) => [name, other]);
}

const wholeWord = (name) => new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g');

function importedRequires(header) {
  const imported = [...header.matchAll(importStatement)].flatMap(([, names = '']) => readNames(names));
  return imported.filter(([name]) => name === 'require').map(([, local]) => local);
}

const writeObject = (pairs) =>
  `{ ${pairs.map(([name, local]) => (name === local ? name : `${name}: ${local}`)).join(', ')} }`;
const quote = (text) => JSON.stringify(text);

/** The code before that of a chunk. V8 compiles a function in parentheses together with its file. */
function beginModule({ file, mainFile, lateFiles, isLate }, code) {
  if (isLate) return 'module.exports = (function (__chunks) { ';
  if (mainFile !== file) return '';
  const exported = readNames(exportStatement.exec(code)[1]).filter(([, name]) => name !== 'require');
  const [changing] = exported.find(([local]) => declares('let', local).test(code)) ?? [];
  if (changing) throw new Error(`${file}: \`${changing}\` changes, so a late chunk cannot have its value`);
  const shared = writeObject(exported.map(([local, name]) => [name, local]));
  const late = lateFiles.map((target) => {
    const path = posix.relative(posix.dirname(file), target);
    return `__late(${quote(target)}, () => require(${quote(path.startsWith('.') ? path : `./${path}`)}));`;
  });
  return [
    `const __chunks = { ${quote(file)}: () => (${shared}) };`,
    'const __late = (file, load) => { __chunks[file] = () => { const loaded = load()(__chunks); __chunks[file] = () => loaded; return loaded; }; };',
    ...late,
    '',
  ].join(' ');
}

const declares = (keywords, name) =>
  new RegExp(`^(?:${keywords}) ${name.replaceAll('$', '\\$')}(?![\\w$])`, 'm');

/** The default export of a CommonJS module, and its namespace, are what `require` returns. */
function writeImport({ file, isLate, runtime }, from, names = '') {
  const target = posix.join(posix.dirname(file), from);
  const isOwnChunk = from.startsWith('.');
  if (target === runtime?.fileName) return inline(runtime.code);
  const required = isOwnChunk && isLate ? `__chunks[${quote(target)}]()` : `require("${from}")`;
  if (names === '') return `${required};`;
  const pairs = readNames(names);
  const named = pairs.filter(
    ([name]) => !['default', 'createRequire', ...(isOwnChunk ? ['require'] : [])].includes(name),
  );
  const [, whole] = /^(?:\* as )?([\w$]+)/.exec(names) ?? [];
  const targets = [
    whole,
    pairs.find(([name]) => name === 'default')?.[1],
    named.length > 0 && writeObject(named),
  ];
  const bindings = targets.filter(Boolean).map((binding) => `${binding} = ${required}`);
  return bindings.length === 0 ? '' : `const ${bindings.join(', ')};`;
}

function inline(code) {
  const { program } = parseSync('runtime.js', code, { sourceType: 'module' });
  const declarations = program.body.filter(({ type }) => !/^(Import|Export)/.test(type));
  return declarations.map(({ start, end }) => code.slice(start, end).replace(/\s+/g, ' ')).join(' ');
}

function writeExport({ file, isLate, mainFile, publicNames }, names) {
  const all = names.map(([local, name]) => [name.replaceAll('"', ''), local]);
  if (isLate) return `return ${writeObject(all)}; });`;
  const exported = file === mainFile ? all.filter(([name]) => publicNames.includes(name)) : all;
  const [, whole] = exported.find(([name]) => name === 'module.exports') ?? [];
  if (whole === undefined) return exported.map(([name, local]) => `exports.${name} = ${local};`).join(' ');
  // In Node, the default export is also what `require` returns.
  const others = exported.filter(([name]) => name !== 'module.exports' && name !== 'default');
  const members = others.map(([name, local]) => `module.exports.${name} = ${local};`);
  return [`module.exports = ${whole};`, ...members].join(' ');
}

function writeLoad({ file, lateFiles = [] }, path) {
  const target = posix.join(posix.dirname(file), path);
  if (!lateFiles.includes(target)) throw new Error(`${file}: import() is not supported, use require`);
  return `__chunks[${quote(target)}]()`;
}

/**
 * A namespace, `export * as errors`, is an object with a getter for each name in the bundle. If all its values are declared
 * before it, it becomes an object with these values, which is created in a tenth of the time.
 */
function writeNamespace(all, list, before) {
  const members = [...list.matchAll(/([\w$]+): \(\) => ([\w$]+)/g)];
  const keywords = 'var|let|const|class|(?:async )?function\\*?';
  if (!members.every(([, , local]) => declares(keywords, local).test(before))) return all;
  const values = members.map(([, name, local]) => `${name}: ${local}`).join(', ');
  return `Object.freeze({ __proto__: null, ${values} })${list.replace(/[^\n]/g, '')}`;
}
