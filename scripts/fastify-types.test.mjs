// Tests the content of the declarations that replace `fastify`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { writeFastifyTypes } from './fastify-types.mjs';

const facade = fileURLToPath(new URL('../packages/fastify', import.meta.url));

test('every type that the facade exports is exported', () => {
  const [, exported] = /export type \{\n([^}]+)\};\n\}/.exec(readFileSync(`${facade}/entry.d.cts`, 'utf8'));
  const names = exported.match(/\w+/g);
  const text = writeFastifyTypes(facade);
  const isExported = (name) =>
    new RegExp(`export (interface|type) ${name}\\b|export type \\{[^}]*\\b${name}\\b`).test(text);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !isExported(name))).toEqual([]);
});

test('the module imports nothing from files, contains no values, and refers to the interfaces that plugins extend', () => {
  const text = writeFastifyTypes(facade);
  expect(text).toContain("declare module 'fasti*fy' {");
  expect(text).not.toMatch(/from '\./);
  expect(text).not.toMatch(/^\s*(export |declare )*(class \w|function \w|const \w+ ?[:=])/m);
  expect(text).toContain('augmented.FastifyInstance');
});

test('a name that two modules declare throws', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-facade-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'types'));
  for (const name of ['a', 'b']) writeFileSync(join(folder, `types/${name}.d.cts`), 'type One = 1;\n');
  expect(() => writeFastifyTypes(folder)).toThrow('types/b.d.cts and types/a.d.cts both declare `One`');
});
