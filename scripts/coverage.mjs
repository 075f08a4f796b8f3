// Measures which lines of the packages the tests run, and writes the table of docs/coverage.md: `npm run coverage`.
// Processes that tests start are not counted, so commands and programs have more than the table says.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = 'docs/coverage.md';
const folder = '.cache/coverage';
/** Files in which so many lines are never run are listed. */
const listedLines = 10;

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const include = '--coverage.include=packages/*/src/**/*.ts';
const exclude = '--coverage.exclude=**/*.test*.ts';
const reporters = ['--coverage.reporter=json-summary', `--coverage.reportsDirectory=${folder}`];
const args = ['run', '--reporter=dot', '--coverage', include, exclude, ...reporters];
const { status } = spawnSync('npx', ['vitest', ...args], { stdio: 'inherit' });
if (status === 0) writePage(JSON.parse(readFileSync(`${folder}/coverage-summary.json`, 'utf8')));
process.exitCode = status ?? 1;

function writePage(summary) {
  const files = Object.entries(summary)
    .filter(([path]) => path !== 'total')
    .map(([path, { lines, branches }]) => ({
      path: path.slice(path.indexOf('/packages/') + 1),
      lines,
      branches,
    }));
  const names = [...new Set(files.map(({ path }) => path.split('/')[1]))].sort();
  const rows = names.map((name) => {
    const own = files.filter(({ path }) => path.startsWith(`packages/${name}/`));
    return `| ${name} | ${share(own, 'lines')} | ${share(own, 'branches')} |`;
  });
  const least = files
    .map(({ path, lines }) => ({ path, missed: lines.total - lines.covered }))
    .filter(({ missed }) => missed >= listedLines)
    .sort((a, b) => b.missed - a.missed)
    .map(({ path, missed }) => `| ${path} | ${missed} |`);
  const text = readFileSync(page, 'utf8');
  const [head] = text.split('<!-- written by the run -->');
  const tables = [
    `Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.\n`,
    '| package | lines | branches |\n| --- | ---: | ---: |',
    ...rows,
    `\nFiles with at least ${listedLines} lines that no test runs in its own process:\n`,
    '| file | lines |\n| --- | ---: |',
    ...least,
  ];
  writeFileSync(page, `${head}<!-- written by the run -->\n\n${tables.join('\n')}\n`);
}

function share(files, what) {
  const sum = (key) => files.reduce((all, file) => all + file[what][key], 0);
  return `${((100 * sum('covered')) / Math.max(1, sum('total'))).toFixed(1)} %`;
}
