// Checks the relative links of all Markdown pages, and runs the code blocks of README.md, CONTRIBUTING.md, SECURITY.md, docs/ and the
// packages' READMEs. The info string of a block says how:
//
//   js, ts                     a whole program: imports what it uses, ends by itself (a server is closed) within
//                              20 s and with exit code 0. Asserts with `node:assert/strict`; PORT=0 is set.
//   js fragment, ts fragment   not run: js is checked for syntax, ts for types (`declare` what it assumes).
//   js first-program           the README's first program: scripts/check-package.mjs runs it.
//   sh, json, text, mermaid    not run.
//
// TypeScript is checked with the project's strict settings before it runs. Programs share a process, because loading the
// packages takes longer than most of them; one that fails there runs again in its own.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
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
  const compiler = ['node_modules/typescript/bin/tsc', '-p', scratch, '--pretty', 'false', '--checkers', '1'];
  // The compiler is written in Go, and ends before collecting garbage is worth its time.
  const env = { ...process.env, GOGC: 'off' };
  const { stdout, stderr, status } = spawnSync(process.execPath, compiler, { encoding: 'utf8', env });
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

/** Finds what Node does not parse. */
function checkSyntax({ file, page, line }, failures) {
  const { errors } = parseSync(file, readFileSync(file, 'utf8'), { showSemanticErrors: true });
  for (const { message, codeframe } of errors) failures.push(`${page}:${line}: ${codeframe ?? message}`);
}

/** Starts a process. Resolves to its output and to how it ended. */
function runNode(args, settings) {
  return new Promise((resolve) => {
    const env = { ...process.env, PORT: '0' };
    const child = spawn(process.execPath, args, { ...settings, env, killSignal: 'SIGKILL' });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr?.on('data', (chunk) => (output += chunk));
    child.on('close', (code, signal) => resolve({ output, code, signal }));
  });
}

function programOf({ language, name, file }) {
  return language === 'ts' ? `${scratch}/out/${name}.mjs` : file;
}

/** Runs blocks in one process, and those on which it ends in their own. */
async function runBlocks(blocks, failures) {
  const waiting = [...blocks];
  while (waiting.length > 0) {
    const args = ['scripts/run-blocks.mjs', timeoutMs, ...waiting.map(programOf)];
    const stdio = ['ignore', 'pipe', 'ignore'];
    const { output, code } = await runNode(args, { stdio, timeout: timeoutMs * waiting.length });
    const lines = output.split('\n');
    const passed = waiting.filter((block) => lines.includes(programOf(block)));
    waiting.splice(0, passed.length);
    if (code !== 0 && code !== 100) for (const block of passed) await runAlone(block, failures);
    if (waiting.length > 0) await runAlone(waiting.shift(), failures);
  }
}

async function runAlone(block, failures) {
  const args = ['--enable-source-maps', programOf(block)];
  const { output, code, signal } = await runNode(args, { timeout: timeoutMs });
  if (code === 0) return;
  const end = signal ? `was still running after ${timeoutMs / 1000} s` : `ended with exit code ${code}`;
  failures.push(`${block.page}:${block.line}: ${end}\n${namePage(output, block)}`);
}

rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const linked = readLinkedPages();
const failures = findBrokenLinks(linked, existsSync);
const blocks = collectBlocks(failures);
if (blocks.length === 0) failures.push('no code block found to run');
const broken = compileTypeScript(blocks, failures);
const programs = blocks.filter((block) => !block.isFragment && !broken.includes(block));
for (const block of blocks) if (block.isFragment && block.language === 'js') checkSyntax(block, failures);
const half = Math.ceil(programs.length / workers);
await Promise.all(
  Array.from({ length: workers }, (_, i) => runBlocks(programs.slice(i * half, (i + 1) * half), failures)),
);

for (const problem of failures) console.error(`${problem.trimEnd()}\n`);
console.log(`docs: ${linked.size} pages with links, ${blocks.length} blocks, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
