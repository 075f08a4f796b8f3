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
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parseSync } from 'oxc-parser';
import { findBrokenLinks, findFences } from './markdown.mjs';
import { root } from './steps.mjs';

const run = promisify(execFile);
const workers = 2;
const timeoutMs = 20_000;
const modes = ['js', 'ts', 'js fragment', 'ts fragment'];
const unchecked = ['js first-program', 'sh', 'json', 'text', 'mermaid'];
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
const withCode = /^(?:(?:README|CONTRIBUTING|SECURITY)\.md|docs\/.*|packages\/[^/]+\/README\.md)$/;
// Inside the workspace, so that blocks import what its packages import.
const scratch = '.cache/docs';

process.chdir(root);
const failures = [];

/** Every Markdown page of the repository by its path. Pages without code blocks may have links, too. */
function readPages() {
  const { stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], {
    encoding: 'utf8',
  });
  const paths = stdout.split('\n').filter((path) => path !== '' && existsSync(path));
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

/** Writes the blocks of a page to files, with empty lines before each, so that line numbers are those of the page. */
function writeBlocks([page, text]) {
  return findFences(page, text).flatMap(({ info, line, code }) => {
    if (unchecked.includes(info)) return [];
    if (!modes.includes(info)) {
      const allowed = [...modes, ...unchecked].join(', ');
      failures.push(`${page}:${line}: info string \`${info}\` is none of: ${allowed}`);
      return [];
    }
    const isTypeScript = info.startsWith('ts');
    const name = `${page.replaceAll('/', '--')}--L${line}`;
    const file = `${scratch}/${name}.${isTypeScript ? 'mts' : 'mjs'}`;
    writeFileSync(file, '\n'.repeat(line - 1) + code);
    const program = isTypeScript ? `${scratch}/out/${name}.mjs` : file;
    return [
      { place: `${page}:${line}`, file, program, isTypeScript, isFragment: info.endsWith(' fragment') },
    ];
  });
}

/** Names the pages in place of the files of their blocks. */
function namePages(output) {
  return output.replace(/[^\s('"]*?([^\s('"/]+)--L\d+\.m[jt]s/g, (_, name) => name.replaceAll('--', '/'));
}

/** Compiles all TypeScript at once. */
function compileTypeScript() {
  writeFileSync(`${scratch}/tsconfig.json`, JSON.stringify(typescriptConfig));
  const compiler = ['node_modules/typescript/bin/tsc', '-p', scratch, '--pretty', 'false', '--checkers', '1'];
  // The compiler is written in Go, and ends before collecting garbage is worth its time.
  const env = { ...process.env, GOGC: 'off' };
  const { stdout, stderr, status } = spawnSync(process.execPath, compiler, { encoding: 'utf8', env });
  if (status !== 0) failures.push(namePages(stdout + stderr));
}

function checkSyntax({ file, place }) {
  const { errors } = parseSync(file, readFileSync(file, 'utf8'), { showSemanticErrors: true });
  for (const { message, codeframe } of errors) failures.push(`${place}: ${codeframe ?? message}`);
}

async function runBlocks(blocks) {
  for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) {
    const settings = { timeout: timeoutMs, killSignal: 'SIGKILL', env: { ...process.env, PORT: '0' } };
    const args = ['--enable-source-maps', block.program];
    try {
      await run(process.execPath, args, settings);
    } catch ({ killed, code, stdout, stderr }) {
      const end = killed ? `was still running after ${timeoutMs} ms` : `ended with ${code}`;
      failures.push(`${block.place}: ${end}\n${namePages(stdout + stderr)}`);
    }
  }
}

rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const pages = readPages();
failures.push(...findBrokenLinks(pages, existsSync));
const blocks = [...pages].filter(([path]) => withCode.test(path)).flatMap(writeBlocks);
if (blocks.length === 0) failures.push('no code block found to run');
compileTypeScript();
for (const block of blocks) if (block.isFragment && !block.isTypeScript) checkSyntax(block);
// The compiler writes a program also if it has errors.
const programs = blocks.filter(({ isFragment }) => !isFragment);
await Promise.all(Array.from({ length: workers }, () => runBlocks(programs)));

for (const problem of failures) console.error(`${problem.trimEnd()}\n`);
console.log(`docs: ${pages.size} pages with links, ${blocks.length} blocks, ${failures.length} failures`);
process.exitCode = failures.length === 0 ? 0 : 1;
