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

/** The parts of a bundle with late chunks: the entry point names the exports of the main chunk, and all others are loaded late. */
function findLateChunks(chunks) {
  if (!chunks.some(({ isDynamicEntry }) => isDynamicEntry)) return undefined;
  const [entryPoint, ...others] = chunks.filter(({ isEntry }) => isEntry);
  const [main] = chunks.filter(({ fileName }) => entryPoint.imports.includes(fileName));
  if (others.length > 0 || main === undefined)
    throw new Error('late modules need one entry point and one main chunk');
  const late = chunks.filter((chunk) => chunk !== entryPoint && chunk !== main);
  const publicNames = readNames(/^import \{(.*)\} from/m.exec(entryPoint.code)[1]).map(([name]) => name);
  return { mainFile: main.fileName, lateFiles: late.map(({ fileName }) => fileName), publicNames };
}

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
  const output = { ...bundle, file, isLate: bundle.lateFiles?.includes(file) ?? false };
  const [header] = /^(?:import .*(?:\n|$)|\n)*/.exec(code);
  const converted =
    header.replace(importStatement, (_, names, from) => writeImport(output, from, names)) +
    code.slice(header.length).replace(exportStatement, (_, names) => writeExport(output, readNames(names)));
  const own = useOwnRequire(converted, readRequires(code))
    .replace(loadLate, (_, path, __, member) => writeLoad(output, path, member))
    .replaceAll('import.meta.url', moduleUrl)
    .replace(namespace, (all, members, index) => writeNamespace(all, members, converted.slice(0, index)));
  const written = `"use strict"; ${beginModule(output, code)}${Object.entries(files).reduce(
    (text, [name, path]) => text.replaceAll(`require("${name}")`, `require("${path}")`),
    own,
  )}`;
  const { program, errors } = parseSync(file, written, { sourceType: 'script' });
  if (errors.length > 0) throw new Error(`${file}: not CommonJS: ${errors[0].message}`);
  const refuse = () => {
    throw new Error(`${file}: import() is not supported, use require`);
  };
  new Visitor({ ImportExpression: refuse }).visit(program);
  return written;
}

const importStatement = /^import (?:(.+) from )?"([^"]+)";$/gm;
const exportStatement = /^export \{(.*)\};$/m;
/** Of a module that shares its chunk with others, the bundler takes a member. */
const loadLate = /\bimport\("(\.[^"]+)"\)(\.then\(\(n\) => n\.([\w$]+)\))?/g;
const namespace = /__exportAll\(\{([^}]*)\}\)/g;
const makesRequire = /^const ([\w$]+) = createRequire\(import\.meta\.url\);$/gm;

// If an application is bundled to an ES module, `__filename` does not exist, but all code is in one file.
const moduleUrl =
  '(typeof __filename === "string" ? require("node:url").pathToFileURL(__filename).href : "file:///")';

/** The pairs of `{ a, b as c }`: what stands before `as` and after it. */
function readNames(list) {
  const pairs = list.split(',').map((pair) => pair.trim().split(' as '));
  return pairs.filter(([name]) => name !== '').map(([name, other = name]) => [name, other]);
}

function writeObject(pairs) {
  return `{ ${pairs.map(([name, local]) => (name === local ? name : `${name}: ${local}`)).join(', ')} }`;
}

/** The code before that of a chunk. V8 compiles a function in parentheses together with its file. */
function beginModule({ file, mainFile, lateFiles, isLate }, code) {
  if (isLate) return 'module.exports = (function (__chunks) { ';
  if (mainFile !== file) return '';
  const shared = readNames(exportStatement.exec(code)[1])
    .map(([local, name]) => [name, local])
    .filter(([name]) => name !== 'require');
  const variable = shared.find(([, local]) =>
    new RegExp(`^let ${local.replace('$', '\\$')}\\b`, 'm').test(code),
  );
  if (variable) throw new Error(`${file}: \`${variable[1]}\` changes, so a late chunk cannot have its value`);
  const own = `const __chunks = { ${JSON.stringify(file)}: () => (${writeObject(shared)}) };`;
  const addLate =
    'const __late = (file, load) => { __chunks[file] = () => { const loaded = load()(__chunks); __chunks[file] = () => loaded; return loaded; }; };';
  const late = lateFiles.map((target) => {
    const path = posix.relative(posix.dirname(file), target);
    return `__late(${JSON.stringify(target)}, () => require(${JSON.stringify(path.startsWith('.') ? path : `./${path}`)}));`;
  });
  return `${[own, addLate, ...late].join(' ')} `;
}

/** The default export of a CommonJS module, and its namespace, are what `require` returns. */
function writeImport({ file, isLate, runtime }, from, names = '') {
  const target = posix.join(posix.dirname(file), from);
  const isOwnChunk = from.startsWith('.');
  if (target === runtime?.fileName) return inline(runtime.code);
  const required = isOwnChunk && isLate ? `__chunks[${JSON.stringify(target)}]()` : `require("${from}")`;
  if (names === '') return `${required};`;
  const [, whole, list = ''] = /^(?:(?:\* as )?([\w$]+))?(?:, )?(?:\{(.*)\})?$/.exec(names);
  const pairs = readNames(list);
  const named = pairs.filter(
    ([name]) => !(isOwnChunk && name === 'require') && !['default', 'createRequire'].includes(name),
  );
  const targets = [whole, ...pairs.filter(([name]) => name === 'default').map(([, local]) => local)]
    .concat(named.length > 0 ? writeObject(named) : [])
    .filter((name) => name !== undefined);
  return targets.length === 0 ? '' : `const ${targets.map((name) => `${name} = ${required}`).join(', ')};`;
}

/** The declarations of a module, in one line. */
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
  return [
    `module.exports = ${whole};`,
    ...others.map(([name, local]) => `module.exports.${name} = ${local};`),
  ].join(' ');
}

/** The names of `require` in a module: it makes them itself, or imports them from another chunk. */
function readRequires(code) {
  const made = [...code.matchAll(makesRequire)].map(([, name]) => name);
  const imported = [...code.matchAll(importStatement)].flatMap(([, names = '']) =>
    readNames(/\{(.*)\}/.exec(names)?.[1] ?? ''),
  );
  return [...made, ...imported.filter(([name]) => name === 'require').map(([, local]) => local)];
}

function useOwnRequire(code, names) {
  const without = code.replace(makesRequire, '').replaceAll('createRequire(import.meta.url)', 'require');
  return names.reduce(
    (text, name) =>
      text.replace(new RegExp(`(?<![\\w$.])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'), 'require'),
    without,
  );
}

function writeLoad({ file, lateFiles = [] }, path, member) {
  const target = posix.join(posix.dirname(file), path);
  if (!lateFiles.includes(target)) throw new Error(`${file}: import() is not supported, use require`);
  return `__chunks[${JSON.stringify(target)}]()${member === undefined ? '' : `.${member}`}`;
}

/**
 * A namespace, `export * as errors`, is an object with a getter for each name in the bundle. If all its values are declared
 * before it, it becomes an object with these values, which is created in a tenth of the time.
 */
function writeNamespace(all, list, before) {
  const members = [...list.matchAll(/([\w$]+): \(\) => ([\w$]+)/g)].map(([, name, local]) => [name, local]);
  const isDeclared = ([, local]) =>
    new RegExp(
      `^(?:var|let|const|class|(?:async )?function\\*?) ${local.replaceAll('$', '\\$')}(?![\\w$])`,
      'm',
    ).test(before);
  if (!members.every(isDeclared)) return all;
  const lines = list.replace(/[^\n]/g, '');
  return `Object.freeze({ __proto__: null, ${members.map(([name, local]) => `${name}: ${local}`).join(', ')} })${lines}`;
}
