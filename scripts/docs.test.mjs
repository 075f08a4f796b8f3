// Tests that the docs agree with the code: the lists of options, steps and libraries are complete, the files that the
// architecture names exist, and so do the tests of the specification's rules.
import { readdirSync, readFileSync } from 'node:fs';
import { ambit } from 'ambit';
import { expect, test } from 'vitest';
import { readRules } from './specification.mjs';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');
const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, found]) => found);

/** The files of the repository, without those that an install, a build or a test writes. */
function listFiles(folder = '') {
  return readdirSync(new URL(`../${folder}`, import.meta.url), { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|\.git|\.cache)$/.test(entry.name)) return [];
    return entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`];
  });
}
const files = listFiles();

/** The names in inline code on a page, without the parameters of calls. */
const namesOn = (page) => new Set(matches(read(page), /`(\w+)[`(]/g));

test('errors.md explains the codes of the packages beside ambit, and no others', () => {
  const [, part] = /^## Other packages$(.*?)^## /ms.exec(read('docs/errors.md'));
  const sources = files.filter((file) => /^packages\/(?!ambit\/)[^/]+\/src\/.*(?<!\.test)\.ts$/.test(file));
  const codes = sources.flatMap((file) => matches(read(file), /'(AMBIT_ERR_\w+)'/g));
  expect(matches(part, /^### (\w+)$/gm).sort()).toEqual([...new Set(codes)].sort());
});

test.each([
  ['options.ts', 'AmbitOptions', 'options.md'],
  ['options.ts', 'RouterOptions', 'options.md'],
  ['route-options.ts', 'RouteDetails', 'options.md'],
  ['options.ts', 'ListenOptions', 'options.md'],
  ['options.ts', 'CloseOptions', 'options.md'],
  ['options.ts', 'CloseOnSignalsOptions', 'options.md'],
  ['plugins.ts', 'RegisterOptions', 'options.md'],
  ['request.ts', 'RequestParts', 'request-reply.md'],
  ['reply.ts', 'ReplyParts', 'request-reply.md'],
])('every member of %s > %s is on %s', (file, name, page) => {
  const source = read(`packages/ambit/src/types/${file}`);
  const [, body] = new RegExp(`export interface ${name}\\b.*?\\{\\n(.*?)\\n\\}`, 's').exec(source);
  const members = matches(body, /^ {2}(?:readonly |get )?(\w+)\??[(:]/gm);
  expect(members.length).toBeGreaterThan(0);
  expect(members.filter((member) => !namesOn(`docs/reference/${page}`).has(member))).toEqual([]);
});

test('options.md contains the defaults of the factory', () => {
  const page = read('docs/reference/options.md');
  for (const [name, value] of Object.entries(ambit().initialConfig)) {
    const [, cell] = new RegExp(`^\\| \`${name}\` \\| ([^|]*) \\|`, 'm').exec(page) ?? [];
    expect({ [name]: cell?.replaceAll(/[`',]/g, '') }).toEqual({ [name]: String(value) });
  }
});

test('runtime.md names every step of a request', () => {
  const source = read('packages/ambit/src/runtime/lifecycle.ts');
  const steps = matches(/const lifecycle = \{(.*?)\n\} as const/s.exec(source)[1], /'(\w+)'/g);
  expect(steps.length).toBeGreaterThan(20);
  expect(steps.filter((step) => !namesOn('docs/architecture/runtime.md').has(step))).toEqual([]);
});

test('the architecture page lists every library that ambit depends on', () => {
  const { dependencies } = JSON.parse(read('packages/ambit/package.json'));
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@ambit/'));
  const [table] = /^\| library \|.*?\n\n/ms.exec(read('docs/architecture/README.md'));
  expect(libraries.filter((name) => !table.includes(name))).toEqual([]);
});

/** Example names, and files of a build. */
const placeholders = /^(?:dist\/.*|x(?:\.test(?:-d)?)?\.ts|utils\.ts)$/;

test.each([...files.filter((file) => /^docs\/architecture\/[^/]+\.md$/.test(file)), 'CONTRIBUTING.md'])(
  '%s names only files that exist',
  (page) => {
    const named = matches(read(page), /`([\w./*-]+\.(?:ts|mjs|cjs|js))`/g);
    const missing = named.filter((name) => {
      const pattern = new RegExp(`(?:^|/)${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
      return !placeholders.test(name) && !files.some((file) => pattern.test(file));
    });
    expect(missing).toEqual([]);
  },
);

const rules = readRules(read('docs/specification.md'));
const specified = (file) => `packages/ambit/test/spec/${file}.test.ts`;

const readTitles = (path) =>
  [...read(path).matchAll(/^\s*test\(\s*(['`"])((?:(?!\1).|\\.)*)\1,/gms)].map(([, , title]) =>
    title.replaceAll("\\'", "'"),
  );

test('the rules have unique numbers in ascending order', () => {
  expect(rules.length).toBeGreaterThan(60);
  const numbers = rules.map(({ number }) => number.split('.').map(Number));
  expect(numbers).toEqual(numbers.toSorted(([a, b], [c, d]) => a - c || b - d));
  expect(new Set(rules.map(({ number }) => number)).size).toBe(rules.length);
});

test.each(rules)('rule $number names a test that exists', ({ file, title }) => {
  expect(readTitles(specified(file))).toContain(title);
});

test('every file of the specification’s tests is named by a rule', () => {
  const named = new Set(rules.map(({ file }) => specified(file)));
  const tests = files.filter((file) => /^packages\/ambit\/test\/spec\/[^/]+\.test\.ts$/.test(file));
  expect(tests.filter((file) => !named.has(file))).toEqual([]);
});

test('sources cite only rules that exist: `specification 5.2`, or several, `specification 3.3, 6.1`', () => {
  const known = new Set(rules.map(({ number }) => number));
  const readCitations = (text) =>
    matches(text, /\bspecification (\d+\.\d+(?:, \d+\.\d+)*)/g).flatMap((numbers) => numbers.split(', '));
  expect(readCitations('/** As the specification 3.3, 6.1 says. */')).toEqual(['3.3', '6.1']);
  const sources = files.filter((file) => /^packages\/[^/]+\/src\/.+\.ts$/.test(file));
  const cited = sources.flatMap((path) => readCitations(read(path)).map((number) => ({ path, number })));
  expect(cited.filter(({ number }) => !known.has(number))).toEqual([]);
});
