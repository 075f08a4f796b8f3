// Creates the data of this folder from a checkout of the official suite: `node update.mjs <checkout>`. See README.md.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [checkout] = process.argv.slice(2);
if (checkout === undefined) throw new Error('usage: node update.mjs <checkout of JSON-Schema-Test-Suite>');
const here = import.meta.dirname;
/** The address that the suite uses for its remote schemas. */
const origin = 'http://localhost:1234/';
/** The folders of remote schemas that belong to other dialects. */
const otherDialects = /^(?:draft(?:3|4|6|2019-09)|v1)\//;

/** The sorted paths of all JSON files below a folder. */
function jsonFiles(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.json'))
    .sort();
}

function read(...path) {
  return JSON.parse(readFileSync(join(checkout, ...path), 'utf8'));
}

function write(file, lines) {
  writeFileSync(join(here, file), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
}

for (const dialect of ['draft7', 'draft2020-12']) {
  const groups = jsonFiles(join(checkout, 'tests', dialect))
    // Refers to schemas in draft 2019-09.
    .filter((path) => path !== 'optional/cross-draft.json')
    .flatMap((path) => read('tests', dialect, path).map((group) => ({ file: path.slice(0, -5), ...group })));
  write(`${dialect}.jsonl`, groups);
}
const remotes = jsonFiles(join(checkout, 'remotes')).filter((path) => !otherDialects.test(path));
write(
  'remotes.jsonl',
  remotes.map((path) => ({ uri: origin + path, schema: read('remotes', path) })),
);
copyFileSync(join(checkout, 'LICENSE'), join(here, 'LICENSE'));
