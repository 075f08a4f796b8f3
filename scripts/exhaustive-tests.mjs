// The tests that a run of one package leaves out, `npx vitest packages/<one>`, because who waits for it writes code meanwhile.
// `npm test`, CI, the nightly run, a run without names and one with `--project` or `--coverage` have them all.
import { basename } from 'node:path';

/** What needs seconds of the processor, or processes, also if nothing in it waits: each with its reason. */
export const exhaustive = {
  'packages/ambit/src/context/closing/close-on-signals.test.ts': 'starts a process for each test',
  'packages/ambit/test/boot-verdict.test.ts': 'compiles schemas of thousands of properties',
  'packages/ambit/test/json-schema/suite.test.ts': "sends all of JSON Schema's own suite through routes",
  'packages/ambit/test/linear-boot.test.ts': 'boots applications with many routes and counts the work',
  'packages/ambit/test/spellings.property.test.ts': 'tries many spellings of paths against every guard',
  'packages/json-validator/src/ajv-keywords.nesting.test.ts': 'compiles schemas of thousands of parts',
};

/**
 * The files of the list that a run leaves out: those in folders that its command names, unless it names the file, or a part of its name.
 *
 * @param args What follows `vitest` on the command line.
 */
export function findLeftOut(args, { TEST_LEVEL } = {}) {
  if (TEST_LEVEL !== undefined || args.some((arg) => /^--(?:project|coverage)\b/.test(arg))) return [];
  const names = args.filter((arg) => !arg.startsWith('-') && !['run', 'watch', 'dev'].includes(arg));
  const isNamed = (file) => names.some((name) => stem(file).includes(stem(name)));
  const isInside = (file) => names.some((name) => file.includes(name.replace(/^\.?\//, '')));
  return Object.keys(exhaustive).filter((file) => isInside(file) && !isNamed(file));
}

const stem = (path) => basename(path).replace(/\.test(?:\.[cm]?[jt]s)?$/, '');

/** A reporter whose line cannot be missed: it is the last one. */
export class LeftOut {
  #files;

  constructor(files) {
    this.#files = files;
  }

  onTestRunEnd() {
    const [first, ...others] = this.#files;
    if (first === undefined) return;
    const files = others.length === 0 ? 'file was' : 'files were';
    console.log(
      `${this.#files.length} ${files} left out, which take long (scripts/exhaustive-tests.mjs): \`npx vitest run ${first}\` runs one, \`npm test\` all.`,
    );
  }
}
