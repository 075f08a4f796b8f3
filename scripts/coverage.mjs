// Measures which lines of the packages the tests run, and writes the table of docs/coverage.md: `npm run coverage`.
//
// Vitest counts what runs in its own processes, from the sources. Node counts what runs in the processes that tests
// start, from the build, and source maps tell which lines these are.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mergeScriptCovs } from '@bcoe/v8-coverage';
import { convert } from 'ast-v8-to-istanbul';
import { parseSync } from 'oxc-parser';
import { root } from './steps.mjs';

const page = 'docs/coverage.md';
const folder = '.cache/coverage';
/** Here Node writes what each process runs: a file for each when it ends. */
const processCoverage = `${root}.cache/coverage-of-processes`;
/** Files in which so many lines are never run are listed. */
const listedLines = 10;

process.chdir(root);
for (const old of [folder, processCoverage]) rmSync(old, { recursive: true, force: true });
const options = {
  include: 'packages/*/src/**/*.ts',
  exclude: '**/*.test*.ts',
  reporter: 'json',
  reportsDirectory: folder,
  reportOnFailure: true,
};
const flags = Object.entries(options).map(([name, value]) => `--coverage.${name}=${value}`);
const args = ['vitest', 'run', '--reporter=dot', '--coverage', ...flags];
const env = { ...process.env, NODE_V8_COVERAGE: processCoverage };
const { status } = spawnSync('npx', args, { stdio: 'inherit', env });
const counted = `${folder}/coverage-final.json`;
if (existsSync(counted)) {
  const files = readLines(JSON.parse(readFileSync(counted, 'utf8')));
  for (const coverage of await convertProcesses())
    for (const [path, lines] of readLines(coverage))
      for (const [line, isRun] of lines)
        if (isRun && files.get(path)?.has(line)) files.get(path).set(line, true);
  writePage(files);
}
process.exitCode = status ?? 1;

function readLines(coverage) {
  return new Map(
    Object.values(coverage).map(({ path, s, statementMap }) => {
      const lines = new Map();
      for (const [id, count] of Object.entries(s)) {
        const { line } = statementMap[id].start;
        lines.set(line, count > 0 || lines.get(line) === true);
      }
      return [relative(root, path), lines];
    }),
  );
}

/** The coverage of each module of the builds that a process loaded. */
async function convertProcesses() {
  const scripts = new Map();
  for (const name of existsSync(processCoverage) ? readdirSync(processCoverage) : []) {
    const { result } = JSON.parse(readFileSync(`${processCoverage}/${name}`, 'utf8'));
    for (const script of result) {
      if (!/^file:.*\/dist\/.*\.[cm]js$/.test(script.url)) continue;
      const path = fileURLToPath(script.url);
      if (!existsSync(`${path}.map`)) continue;
      const file = realpathSync(path);
      if (relative(root, file).startsWith('packages/'))
        scripts.set(file, [...(scripts.get(file) ?? []), { ...script, url: `file://${file}` }]);
    }
  }
  return Promise.all(
    [...scripts].map(([file, coverages]) => {
      const code = readFileSync(file, 'utf8');
      const sourceMap = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
      const ast = parseSync(file, code).program;
      return convert({ code, sourceMap, ast, coverage: mergeScriptCovs(coverages) });
    }),
  );
}

function writePage(files) {
  const names = [...new Set([...files.keys()].map((path) => path.split('/')[1]))].sort();
  const rows = names.map((name) => {
    const lines = [...files]
      .filter(([path]) => path.startsWith(`packages/${name}/`))
      .flatMap(([, own]) => [...own.values()]);
    return `| ${name} | ${((100 * lines.filter(Boolean).length) / lines.length).toFixed(1)} % |`;
  });
  const least = [...files]
    .map(([path, lines]) => ({ path, missed: [...lines.values()].filter((isRun) => !isRun).length }))
    .filter(({ missed }) => missed >= listedLines)
    .sort((a, b) => b.missed - a.missed)
    .map(({ path, missed }) => `| ${path} | ${missed} |`);
  const [head] = readFileSync(page, 'utf8').split('<!-- written by the run -->');
  const tables = [
    `Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.\n`,
    '| package | lines |\n| --- | ---: |',
    ...rows,
    `\nFiles with at least ${listedLines} lines that no test runs:\n`,
    '| file | lines |\n| --- | ---: |',
    ...least,
  ];
  writeFileSync(page, `${head}<!-- written by the run -->\n\n${tables.join('\n')}\n`);
}
