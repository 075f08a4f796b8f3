// Tests that the lists in the docs are complete: every error, option, step and library must be described, and every file
// that a page of the architecture names must exist.
import { readdirSync, readFileSync } from 'node:fs';
import { ambit, errors } from 'ambit';
import { expect, test } from 'vitest';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The names of the members of an interface in packages/ambit/src/contract. */
function membersOf(path, name) {
  const [, body] = new RegExp(`export interface ${name}\\b.*?\\{\\n(.*?)\\n\\}`, 's').exec(read(path));
  return [...body.matchAll(/^ {2}(?:readonly |get )?(\w+)\??[(:]/gm)].map(([, member]) => member);
}

/** The names in inline code on a page, without the parameters of calls. */
function namesOn(page) {
  return new Set([...read(page).matchAll(/`(\w+)[`(]/g)].map(([, name]) => name));
}

test('the guide lists every code of the error catalogue, and no other', () => {
  const listed = [...read('docs/guide/errors.md').matchAll(/^\| (`[^|]*`) \|/gm)]
    .flatMap(([, cell]) => [...cell.matchAll(/`(\w+)`/g)])
    .map(([, code]) => code)
    .filter((code) => /^(FST|AMBIT)_ERR_/.test(code));
  const codes = Object.values(errors).map(({ code }) => code);
  expect(listed.sort()).toEqual(codes.sort());
});

test('each warning has a code of its own, and the guide lists it', () => {
  const codes = [...read('packages/ambit/src/types/warnings.ts').matchAll(/['"](AMBWRN\d+)['":]/g)].map(
    ([, code]) => code,
  );
  const listed = [...read('docs/guide/errors.md').matchAll(/^\| `(AMBWRN\d+)` \|/gm)].map(([, code]) => code);
  expect(codes.sort()).toEqual(listed);
});

for (const [file, name, page] of [
  ['options.ts', 'AmbitOptions', 'options.md'],
  ['options.ts', 'RouterOptions', 'options.md'],
  ['route-options.ts', 'RouteDetails', 'options.md'],
  ['options.ts', 'ListenOptions', 'options.md'],
  ['options.ts', 'CloseOptions', 'options.md'],
  ['options.ts', 'CloseOnSignalsOptions', 'options.md'],
  ['plugins.ts', 'RegisterOptions', 'options.md'],
  ['request.ts', 'RequestParts', 'request-reply.md'],
  ['reply.ts', 'ReplyParts', 'request-reply.md'],
]) {
  test(`${page} lists every member of ${name}`, () => {
    const members = membersOf(`packages/ambit/src/types/${file}`, name);
    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !namesOn(`docs/reference/${page}`).has(member))).toEqual([]);
  });
}

test('options.md contains the defaults of the factory', () => {
  const page = read('docs/reference/options.md');
  for (const [name, value] of Object.entries(ambit().initialConfig)) {
    const [, cell] = new RegExp(`^\\| \`${name}\` \\| ([^|]*) \\|`, 'm').exec(page) ?? [];
    const documentedDefault = cell?.replaceAll(/[`',]/g, '');
    expect({ [name]: documentedDefault }).toEqual({ [name]: String(value) });
  }
});

const architecture = readdirSync(new URL('../docs/architecture', import.meta.url))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/architecture/${name}`);

/** The files of the repository, without those that an install, a build or a test writes. */
function listFiles(folder = '') {
  return readdirSync(new URL(`../${folder}`, import.meta.url), { withFileTypes: true }).flatMap((entry) => {
    if (/^(node_modules|dist|\.git|\.cache)$/.test(entry.name)) return [];
    return entry.isDirectory() ? listFiles(`${folder}${entry.name}/`) : [`${folder}${entry.name}`];
  });
}

/** Example names, and files of a build. */
const placeholders = /^(?:dist\/.*|x(?:\.test(?:-d)?)?\.ts|utils\.ts)$/;

test.each([...architecture, 'CONTRIBUTING.md'])('%s names only files that exist', (page) => {
  const files = listFiles();
  // A renamed file is named with its old name, as in "`walk.ts` became `run-steps.ts`".
  const named = [...read(page).matchAll(/`([\w./*-]+\.(?:ts|mjs|cjs|js))`(?! became)/g)].map(
    ([, name]) => name,
  );
  const missing = named.filter((name) => {
    const pattern = new RegExp(`(?:^|/)${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`);
    return !placeholders.test(name) && !files.some((file) => pattern.test(file));
  });
  expect(missing).toEqual([]);
});

test('runtime.md names every step of a request', () => {
  const source = read('packages/ambit/src/runtime/lifecycle.ts');
  const [, lists] = /const lifecycle = \{(.*?)\n\} as const/s.exec(source);
  const steps = [...lists.matchAll(/'(\w+)'/g)].map(([, step]) => step);
  expect(steps.length).toBeGreaterThan(20);
  expect(steps.filter((step) => !namesOn('docs/architecture/runtime.md').has(step))).toEqual([]);
});

test('the architecture page lists every library that ambit depends on', () => {
  const { dependencies } = JSON.parse(read('packages/ambit/package.json'));
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@ambit/'));
  const [table] = /^\| library \|.*?\n\n/ms.exec(read('docs/architecture/README.md'));
  expect(libraries.filter((name) => !table.includes(name))).toEqual([]);
});

test('validation.md names every file that takes part in compiling a schema of a route', async () => {
  const stacks = [];
  const record = () => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 100;
    stacks.push(new Error('recorded').stack);
    Error.stackTraceLimit = stackTraceLimit;
    return true;
  };
  const traced = { keyword: 'traced', compile: () => record() && record };
  const app = ambit({ ajv: { plugins: [(ajv) => ajv.addKeyword(traced)] } });
  app.post('/', { schema: { body: { type: 'object', traced: true } } }, () => 'validated');
  expect((await app.inject({ method: 'POST', url: '/', payload: {} })).body).toBe('validated');
  const files = stacks.flatMap((stack) =>
    [...stack.matchAll(/packages\/ambit\/src\/(?:compile|schemas)\/(?:[\w-]+\/)*([\w-]+\.ts)/g)].map(
      ([, file]) => file,
    ),
  );
  const page = read('docs/architecture/validation.md');
  expect(new Set(files).size).toBeGreaterThan(6);
  expect([...new Set(files)].filter((file) => !page.includes(file))).toEqual([]);
});
