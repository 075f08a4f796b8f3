// Checks the relative links of all Markdown pages, and runs the code blocks of README.md, CONTRIBUTING.md, SECURITY.md, docs/ and the
// packages' READMEs. The info string of a block says how:
//
//   js, ts                     a whole program: imports what it uses, ends by itself (a server is closed) within
//                              20 s and with exit code 0. Asserts with `node:assert/strict`; PORT=0 is set.
//   js fragment, ts fragment   not run: js is checked for syntax, ts for types (`declare` what it assumes).
//   js first-program           the README's first program: scripts/check-package.mjs runs it.
//   sh, json, text, mermaid    not run.
//
// TypeScript is checked with the project's strict settings before it runs.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findFences } from './fences.mjs';
import { findBrokenLinks } from './links.mjs';

const workers = 2;
const timeoutMs = 20_000;
const modes = ['js', 'ts', 'js fragment', 'ts fragment'];
const unchecked = ['js first-program', 'sh', 'json', 'text', 'mermaid'];
/** Folders that an install, a build or a test writes. */
const generatedFolder = /^(node_modules$|dist$|\.)/;
const typescriptConfig = {
  extends: '../../tsconfig.base.json',
  compilerOptions: {
    composite: false,
    isolatedDeclarations: false,
    declaration: false,
    declarationMap: false,
    sourceMap: true,
    rootDir: '.',
    outDir: 'out',
  },
  include: ['*.mts'],
};

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
// Inside the workspace, so that blocks import what its packages import.
const scratch = '.cache/docs';

function findPages() {
  const docs = listIfExists('docs', { recursive: true }).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  const readmes = listIfExists('packages').map((name) => `packages/${name}/README.md`);
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...docs, ...readmes];
  return pages.filter((path) => path.endsWith('.md') && existsSync(path)).sort();
}

/** Every Markdown page of the repository by its path. Pages without code blocks may have links, too. */
function readLinkedPages() {
  const here = readdirSync('.').filter((name) => name.endsWith('.md'));
  const below = ['docs', 'packages', 'examples', 'bench', 'ecosystem', 'interop'].flatMap(findMarkdown);
  return new Map([...here, ...below].map((path) => [path, readFileSync(path, 'utf8')]));
}

function findMarkdown(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return generatedFolder.test(entry.name) ? [] : findMarkdown(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

function listIfExists(folder, options) {
  return existsSync(folder) ? readdirSync(folder, options) : [];
}

/** Writes a block to a file, with empty lines before it, so that line numbers are those of the page. */
function writeBlock(page, { info, line, code }) {
  const language = info.slice(0, 2);
  const name = `${page.replaceAll('/', '--')}--L${line}`;
  const file = `${scratch}/${name}.${language === 'ts' ? 'mts' : 'mjs'}`;
  writeFileSync(file, '\n'.repeat(line - 1) + code);
  return { page, line, name, file, language, isFragment: info.endsWith(' fragment') };
}

function collectBlocks(failures) {
  const blocks = [];
  for (const page of findPages()) {
    for (const fence of findFences(page, readFileSync(page, 'utf8'))) {
      if (modes.includes(fence.info)) blocks.push(writeBlock(page, fence));
      else if (!unchecked.includes(fence.info)) {
        const allowed = [...modes, ...unchecked].join(', ');
        failures.push(`${page}:${fence.line}: info string \`${fence.info}\` is none of: ${allowed}`);
      }
    }
  }
  return blocks;
}

/** Compiles all TypeScript at once; returns the blocks that have type errors. */
function compileTypeScript(blocks, failures) {
  if (!blocks.some(({ language }) => language === 'ts')) return [];
  writeFileSync(`${scratch}/tsconfig.json`, JSON.stringify(typescriptConfig));
  const compiler = ['node_modules/typescript/bin/tsc', '-p', scratch, '--pretty', 'false'];
  const { stdout, stderr, status } = spawnSync(process.execPath, compiler, { encoding: 'utf8' });
  if (status === 0) return [];
  const broken = blocks.filter(({ file }) => stdout.includes(`${file}(`));
  for (const block of broken) {
    const lines = stdout.split('\n').filter((text) => text.includes(`${block.file}(`));
    failures.push(`${block.page}:${block.line}: does not type-check\n${namePage(lines.join('\n'), block)}`);
  }
  if (broken.length === 0) failures.push(`tsc: ${stdout}${stderr}`);
  return broken;
}

/** Replaces the path in the scratch folder with the path of the page. */
function namePage(output, { page, name }) {
  return output.replace(new RegExp(`[^\\s('"]*${name}\\.m[jt]s`, 'g'), page);
}

/** Runs a block in its own process. Resolves to a description of the failure, or undefined. */
function runBlock(block) {
  if (block.isFragment && block.language === 'ts') return undefined;
  const file = block.language === 'ts' ? `${scratch}/out/${block.name}.mjs` : block.file;
  const args = block.isFragment ? ['--check', file] : ['--enable-source-maps', file];
  return new Promise((resolve) => {
    const env = { ...process.env, PORT: '0' };
    const child = spawn(process.execPath, args, { env, timeout: timeoutMs, killSignal: 'SIGKILL' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve(undefined);
      const end = signal ? `was still running after ${timeoutMs / 1000} s` : `ended with exit code ${code}`;
      resolve(`${block.page}:${block.line}: ${end}\n${namePage(output, block)}`);
    });
  });
}

rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const linked = readLinkedPages();
const failures = findBrokenLinks(linked, existsSync);
const blocks = collectBlocks(failures);
if (blocks.length === 0) failures.push('no code block found to run');
const broken = compileTypeScript(blocks, failures);
const waiting = blocks.filter((block) => !broken.includes(block));
const work = async () => {
  for (let block = waiting.shift(); block; block = waiting.shift()) failures.push(await runBlock(block));
};
await Promise.all(Array.from({ length: workers }, work));

const problems = failures.filter((failure) => failure !== undefined);
for (const problem of problems) console.error(`${problem.trimEnd()}\n`);
console.log(`docs: ${linked.size} pages with links, ${blocks.length} blocks, ${problems.length} failures`);
process.exitCode = problems.length === 0 ? 0 : 1;
