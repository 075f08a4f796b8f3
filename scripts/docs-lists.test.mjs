// Proves that the lists in the docs are complete: every error and every option must be described.
import { readFileSync } from 'node:fs';
import { ambit, errors } from 'ambit';
import { expect, test } from 'vitest';

const read = (path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** The members of an interface of the contract, by name. */
function membersOf(path, name) {
  const [, body] = new RegExp(`export interface ${name}\\b.*?\\{\\n(.*?)\\n\\}`, 's').exec(read(path));
  return [...body.matchAll(/^ {2}(?:readonly |get )?(\w+)\??[(:]/gm)].map(([, member]) => member);
}

/** The texts in code type on a page; the parameters of calls are left out. */
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

for (const [file, name, page] of [
  ['options.ts', 'AmbitOptions', 'options.md'],
  ['options.ts', 'RouterOptions', 'options.md'],
  ['route-options.ts', 'RouteDetails', 'options.md'],
  ['server.ts', 'ListenOptions', 'options.md'],
  ['closing.ts', 'CloseOptions', 'options.md'],
  ['closing.ts', 'CloseOnSignalsOptions', 'options.md'],
  ['registration.ts', 'RegisterOptions', 'options.md'],
  ['request.ts', 'RequestParts', 'request-reply.md'],
  ['reply.ts', 'ReplyParts', 'request-reply.md'],
]) {
  test(`${page} lists every member of ${name}`, () => {
    const members = membersOf(`packages/ambit/src/contract/${file}`, name);
    expect(members.length).toBeGreaterThan(0);
    expect(members.filter((member) => !namesOn(`docs/reference/${page}`).has(member))).toEqual([]);
  });
}

test('options.md states the defaults that the factory has', () => {
  const page = read('docs/reference/options.md');
  for (const [name, value] of Object.entries(ambit().initialConfig)) {
    const [, shown] = new RegExp(`^\\| \`${name}\` \\| ([^|]*) \\|`, 'm').exec(page) ?? [];
    const stated = shown?.replaceAll(/[`',]/g, '');
    expect({ [name]: stated }).toEqual({ [name]: String(value) });
  }
});
