// Fails if a file of packages/ambit/src breaks the rules of the layers, or if a package has circular imports or is larger than
// it may be (sizes.mjs).
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findImports } from './imports.mjs';
import { findTooLarge } from './sizes.mjs';

/**
 * The layers from top to bottom, as in docs/architecture/README.md. Folders of one layer never import each other. `.` is
 * the root of src: app.ts and index.ts.
 */
const layers = [
  ['.'],
  ['compile'],
  ['runtime'],
  ['context', 'transport'],
  ['schemas'],
  ['routing', 'client'],
  ['types'],
  ['shared'],
];
const rootFiles = ['app.ts', 'index.ts'];

/** Folders that are the same on every runtime. They, and the exchange, do not import Node's server modules. */
const runtimeNeutral = ['runtime', 'routing', 'compile'];
const exchangeFile = 'types/exchange.ts';
const httpModule = /^(node:)?(https?|http2|net|tls)$/;
/** The types of `request.raw`, `reply.raw`, `request.socket` and `request.headers` are node's, because the public API says so. */
const rawTypes = ['IncomingHttpHeaders', 'IncomingMessage', 'ServerResponse', 'Socket'];
/** What transports must not import: they create exchanges, and do not know which route handles them. */
const aboutRoutes = /^(routing|types\/(plan|route-|context-routes))/;

const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');
const levelOf = (folder) => layers.findIndex((line) => line.includes(folder));

/**
 * Checks the sources of ambit. Test files may import anything.
 *
 * @param {Map<string, string>} sources The text of each source by its path inside src.
 * @returns {string[]} one line for each violation: `path:line: rule: what to change`
 */
export function findViolations(sources) {
  const imports = readImports(sources);
  const inFiles = [...imports].flatMap(([path, own]) => [
    ...checkPlace(path),
    ...checkMentions(path, sources.get(path)),
    ...own.flatMap((imported) =>
      checkImport(path, imported).map((problem) => `${path}:${imported.line}: ${problem}`),
    ),
  ]);
  return [...findCycles(imports), ...new Set(inFiles)];
}

/** Checks the only rule for packages without layers: one line for each import that closes a cycle. */
export function findCircularImports(sources) {
  return findCycles(readImports(sources));
}

/** The imports of each file that is not a test, with the path inside src. @throws if there is no such file */
function readImports(sources) {
  const files = [...sources.keys()].filter((path) => !/\.test(-d)?\.ts$/.test(path)).sort();
  if (files.length === 0) throw new Error('there is no source to check');
  const resolve = (path, specifier) =>
    specifier.startsWith('.')
      ? posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts')
      : undefined;
  return new Map(
    files.map((path) => [
      path,
      findImports(path, sources.get(path)).map((it) => ({ ...it, target: resolve(path, it.specifier) })),
    ]),
  );
}

function checkPlace(path) {
  const folder = folderOf(path);
  if (folder === '.' && !rootFiles.includes(path))
    return [`${path}:1: stray file: the root of src holds ${rootFiles.join(' and ')} only`];
  return levelOf(folder) === -1 ? [`${path}:1: unknown folder: \`${folder}\` is not in the layers`] : [];
}

const httpRule = (folder) => `HTTP module in ${folder}: only transports import node:http and similar modules`;

/** The folder `runtime` must not even mention Node's HTTP modules in comments. */
function checkMentions(path, source) {
  if (folderOf(path) !== 'runtime') return [];
  const lines = source.split('\n');
  return lines.flatMap((text, i) =>
    /\bnode:http[s2]?\b/.test(text) ? [`${path}:${i + 1}: ${httpRule('runtime')}`] : [],
  );
}

function checkImport(path, { specifier, target, isType, names }) {
  const from = folderOf(path);
  if (specifier === 'ambit') return ['barrel: import the file, not `ambit`'];
  if (httpModule.test(specifier)) {
    const isRawType = path === exchangeFile && isType && names?.every((name) => rawTypes.includes(name));
    const isNeutral = path === exchangeFile || runtimeNeutral.includes(from);
    return isNeutral && !isRawType ? [httpRule(from)] : [];
  }
  if (target === undefined) return [];
  if (target.startsWith('..')) return [`outside: \`${specifier}\` leaves src`];
  if (posix.basename(target) === 'index.ts') return [`barrel: import the file, not \`${specifier}\``];
  if (from === 'transport' && aboutRoutes.test(target))
    return [`routes in transport: transport/ must not import \`${target}\``];
  const to = folderOf(target);
  if (from === to || levelOf(from) < levelOf(to)) return [];
  const rule = levelOf(from) === levelOf(to) ? 'sideways' : 'upward';
  return [`${rule}: ${from}/ must not import \`${target}\``];
}

/**
 * Finds circular imports with a depth-first search. Each import that closes a cycle is reported with the whole cycle.
 * Types of one folder may import one another, because otherwise one file would have to contain all types of its folder.
 */
function findCycles(edges) {
  const violations = [];
  const finished = new Set();
  const trail = [];
  const visit = (path) => {
    trail.push(path);
    for (const { target, line, isType } of edges.get(path) ?? []) {
      if (target === undefined || target === path) continue;
      if (isType && folderOf(target) === folderOf(path)) continue;
      const start = trail.indexOf(target);
      if (start !== -1)
        violations.push(`${path}:${line}: cycle: ${[...trail.slice(start), target].join(' → ')}`);
      else if (!finished.has(target)) visit(target);
    }
    finished.add(trail.pop());
  };
  for (const path of edges.keys()) if (!finished.has(path)) visit(path);
  return violations;
}

function readSources(name) {
  const source = fileURLToPath(new URL(`../packages/${name}/src/`, import.meta.url));
  const files = readdirSync(source, { recursive: true }).filter((file) => /(?<!\.d)\.[cm]?[jt]s$/.test(file));
  return new Map(files.map((file) => [file.replaceAll(sep, '/'), readFileSync(join(source, file), 'utf8')]));
}

// If this file runs as a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href)
  for (const name of readdirSync(fileURLToPath(new URL('../packages/', import.meta.url)))) {
    const sources = readSources(name);
    const violations = [
      ...(name === 'ambit' ? findViolations(sources) : findCircularImports(sources)),
      ...findTooLarge(name, sources),
    ];
    for (const violation of violations) console.error(`packages/${name}/src/${violation}`);
    console.log(`layers: packages/${name}: ${sources.size} files, ${violations.length} violations`);
    if (violations.length > 0) process.exitCode = 1;
  }
