// The layers of packages/ambit/src and the rules between them, and the rule that no package has circular imports. It
// does not read files itself.
import { posix } from 'node:path';
import { findImports } from './imports.mjs';

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
const packageName = 'ambit';

/**
 * Checks sources. Test files may import anything.
 *
 * @param {Map<string, string>} sources The text of each source by its path inside src.
 * @returns {string[]} one line for each violation: `path:line: rule: what to change`
 */
export function findViolations(sources) {
  const imports = readImports(sources);
  const violations = findCycles(imports);
  for (const [path, fileImports] of imports) {
    violations.push(
      ...checkLocation(path),
      ...checkHttpModules(path, sources.get(path), fileImports),
      ...checkRoutes(path, fileImports),
    );
    for (const imported of fileImports) violations.push(...checkImport(path, imported));
  }
  return violations;
}

/**
 * Checks the only rule for packages without layers: there are no circular imports.
 *
 * @param {Map<string, string>} sources The text of each source by its path inside src.
 * @returns {string[]} one line for each import that closes a cycle
 */
export function findCircularImports(sources) {
  return findCycles(readImports(sources));
}

/** Returns the imports of each file that is not a test. @throws if there is no such file. */
function readImports(sources) {
  const files = [...sources.keys()].filter((path) => !/\.test(-d)?\.ts$/.test(path)).sort();
  if (files.length === 0) throw new Error('there is no source to check');
  return new Map(
    files.map((path) => [
      path,
      findImports(path, sources.get(path)).map((imported) => ({
        ...imported,
        target: resolve(path, imported),
      })),
    ]),
  );
}

/** The path inside src of an imported module; undefined for other packages. */
function resolve(path, { specifier }) {
  if (!specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}

function folderOf(path) {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '.';
}

function levelOf(folder) {
  return layers.findIndex((line) => line.includes(folder));
}

function checkLocation(path) {
  const folder = folderOf(path);
  if (folder === '.' && !rootFiles.includes(path)) {
    return [`${path}:1: stray file: the root of src holds ${rootFiles.join(' and ')} only`];
  }
  return levelOf(folder) === -1 ? [`${path}:1: unknown folder: \`${folder}\` is not in the layers`] : [];
}

const exchangeFile = 'types/exchange.ts';
const runtimeNeutralFolders = ['runtime', 'routing', 'compile'];
const httpModule = /^(node:)?(https?|http2|net|tls)$/;
/** The types of `request.raw`, `reply.raw`, `request.socket` and `request.headers` are node's, because the public API says so. */
const rawTypes = ['IncomingHttpHeaders', 'IncomingMessage', 'ServerResponse', 'Socket'];

/**
 * The exchange and the folders that are the same on every runtime must not import Node's server modules. The folder
 * `runtime` must not even mention them in comments.
 */
function checkHttpModules(path, source, imports) {
  const folder = folderOf(path);
  if (path !== exchangeFile && !runtimeNeutralFolders.includes(folder)) return [];
  const isRawType = ({ isType, names }) =>
    path === exchangeFile && isType && names?.every((name) => rawTypes.includes(name));
  const httpImports = imports.filter(
    (imported) => httpModule.test(imported.specifier) && !isRawType(imported),
  );
  const lines = new Set(httpImports.map(({ line }) => line));
  if (folder === 'runtime') for (const line of findMentions(source)) lines.add(line);
  return [...lines].map(
    (line) =>
      `${path}:${line}: HTTP module in ${folder}: only transports import node:http and similar modules`,
  );
}

/** Transports create exchanges, and must not know which route handles them. */
function checkRoutes(path, imports) {
  if (folderOf(path) !== 'transport') return [];
  return imports
    .filter(({ target }) => /^(routing|types\/(plan|route-|context-routes))/.test(target ?? ''))
    .map(
      ({ line, target }) => `${path}:${line}: routes in transport: transport/ must not import \`${target}\``,
    );
}

/** The lines that mention node's own HTTP modules. */
function findMentions(source) {
  return source.split('\n').flatMap((text, i) => (/\bnode:http[s2]?\b/.test(text) ? [i + 1] : []));
}

function checkImport(path, { specifier, line, target }) {
  const at = `${path}:${line}`;
  if (specifier === packageName) return [`${at}: barrel: import the file, not \`${packageName}\``];
  if (target === undefined) return [];
  if (target.startsWith('..')) return [`${at}: outside: \`${specifier}\` leaves src`];
  if (posix.basename(target) === 'index.ts') return [`${at}: barrel: import the file, not \`${specifier}\``];
  const from = folderOf(path);
  const to = folderOf(target);
  if (from === to || levelOf(from) < levelOf(to)) return [];
  const rule = levelOf(from) === levelOf(to) ? 'sideways' : 'upward';
  return [`${at}: ${rule}: ${from}/ must not import \`${target}\``];
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
      if (start !== -1) {
        violations.push(`${path}:${line}: cycle: ${[...trail.slice(start), target].join(' → ')}`);
      } else if (!finished.has(target)) visit(target);
    }
    finished.add(trail.pop());
  };
  for (const path of edges.keys()) if (!finished.has(path)) visit(path);
  return violations;
}
