// Fails if a file of packages/ambit/src breaks the rules of the layers, or if a package, scripts/ or bench/ is larger than it may be
// (sizes.mjs). Knip finds circular imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { listPackages } from './package-sources.mjs';
import { findTooLarge, toolLines } from './sizes.mjs';
import { isProgram, root } from './steps.mjs';

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

/** What is the same on every runtime, and does not import Node's server modules. */
const runtimeNeutral = /^(?:runtime|routing|compile)\/|^types\/exchange\.ts$/;
/** The types of `request.raw`, `reply.raw`, `request.socket` and `request.headers` are node's, because the public API says so. */
const rawTypes =
  /^import type \{(?:,? (?:IncomingHttpHeaders|IncomingMessage|ServerResponse|Socket))+ \} from 'node:(?:http|net)';/gm;
const httpModule = /^(?:node:)?(?:https?|http2|net|tls)$/;
/** What transports must not import: they create exchanges, and do not know which route handles them. */
const aboutRoutes = /^(?:routing|types\/(?:plan|route-|context-routes))/;

const importPattern = /\b(?:from|import|require|module)\b[\s(]*(['"`])([^'"`\n]+)\1/g;
const comment = /\/\*.*?\*\/|(?<=^|\s)\/\/[^\n]*/gs;

const folderOf = (path) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '.');
const levelOf = (folder) => layers.findIndex((line) => line.includes(folder));

/**
 * Checks the sources of ambit. Test files may import anything.
 *
 * @param {Map<string, string>} sources The text of each source by its path inside src.
 * @returns {string[]} one line for each violation: `path: rule: what to change`
 */
export function findViolations(sources) {
  const files = [...sources].filter(([path]) => !/\.test(-d)?\.ts$/.test(path));
  if (files.length === 0) throw new Error('there is no source to check');
  return files.flatMap(([path, source]) => {
    const folder = folderOf(path);
    if (folder === '.' && !rootFiles.includes(path))
      return [`${path}: stray file: the root of src holds ${rootFiles.join(' and ')} only`];
    if (levelOf(folder) === -1) return [`${path}: unknown folder: \`${folder}\` is not in the layers`];
    const code = (path === 'types/exchange.ts' ? source.replace(rawTypes, '') : source).replace(comment, '');
    const imports = [...code.matchAll(importPattern)].map(([, , name]) => name);
    const problems = imports.flatMap((specifier) => checkImport(path, specifier) ?? []);
    return [...new Set(problems)].map((problem) => `${path}: ${problem}`);
  });
}

function checkImport(path, specifier) {
  if (specifier === 'ambit' || posix.basename(specifier, '.ts') === 'index')
    return `barrel: import the file, not \`${specifier}\``;
  const from = folderOf(path);
  if (httpModule.test(specifier) && runtimeNeutral.test(path))
    return `HTTP module in ${from}: only transports import node:http and similar modules`;
  if (!specifier.startsWith('.')) return undefined;
  const target = posix.join(posix.dirname(path), specifier);
  if (target.startsWith('..')) return `outside: \`${specifier}\` leaves src`;
  if (from === 'transport' && aboutRoutes.test(target))
    return `routes in transport: transport/ must not import \`${target}\``;
  const to = folderOf(target);
  if (from === to || levelOf(from) < levelOf(to)) return undefined;
  const rule = levelOf(from) === levelOf(to) ? 'sideways' : 'upward';
  return `${rule}: ${from}/ must not import \`${target}\``;
}

function readSources(name) {
  const source = join(root, 'packages', name, 'src');
  const files = readdirSync(source, { recursive: true }).filter((file) => /(?<!\.d)\.[cm]?[jt]s$/.test(file));
  return new Map(files.map((file) => [file.replaceAll(sep, '/'), readFileSync(join(source, file), 'utf8')]));
}

/** The lines of scripts/ and bench/. */
function countToolLines() {
  const isCounted = /^(?!.*(?:node_modules|\.cache|package-lock|reachable-rest|failing\.json|public-names))/;
  const files = ['scripts', 'bench'].flatMap((folder) => {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  });
  const texts = files.filter((file) => isCounted.test(file)).map((file) => readFileSync(file, 'utf8'));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

if (isProgram(import.meta.url)) {
  for (const { folder: name } of listPackages()) {
    const sources = readSources(name);
    const violations = [...(name === 'ambit' ? findViolations(sources) : []), ...findTooLarge(name, sources)];
    for (const violation of violations) console.error(`packages/${name}/src/${violation}`);
    console.log(`layers: packages/${name}: ${sources.size} files, ${violations.length} violations`);
    if (violations.length > 0) process.exitCode = 1;
  }
  const lines = countToolLines();
  console.log(`layers: scripts and bench: ${lines} lines, of at most ${toolLines} (scripts/sizes.mjs)`);
  if (lines > toolLines) process.exitCode = 1;
}
