// Tests the content of the declarations that replace `fastify`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { writeFastifyTypes } from './fastify-types.mjs';

const facade = fileURLToPath(new URL('../packages/fastify', import.meta.url));

/** A facade with the given modules, by name. */
function createFacade(types, entry = 'declare namespace fastify {}') {
  const folder = mkdtempSync(join(tmpdir(), 'ambit-facade-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'types'));
  writeFileSync(join(folder, 'entry.d.cts'), entry);
  for (const [name, text] of Object.entries(types)) writeFileSync(join(folder, 'types', name), text);
  return folder;
}

test('every type that the facade exports is exported', () => {
  const [, exported] = /export type \{\n([^}]+)\};\n\}/.exec(readFileSync(`${facade}/entry.d.cts`, 'utf8'));
  const names = exported
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const text = writeFastifyTypes(facade);
  const isExported = (name) =>
    new RegExp(`export (interface|type) ${name}\\b|export type \\{[^}]*\\b${name}\\b`).test(text);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !isExported(name))).toEqual([]);
});

test('the module imports nothing from files, and contains no values', () => {
  const text = writeFastifyTypes(facade);
  expect(text).not.toMatch(/from '\./);
  expect(text).not.toMatch(/^\s*(export |declare )*(class \w|function \w|const \w+ ?[:=])/m);
});

test('modules are joined into one module, which refers to the interfaces that plugins extend', () => {
  const folder = createFacade(
    {
      'reply.d.cts':
        "import type { Socket } from 'node:net';\nexport interface FastifyReply { socket: Socket }\n",
      'hooks.d.cts':
        "import type { FastifyReply } from './reply.cjs';\nexport type Hook = (reply: FastifyReply) => void;\n",
    },
    "import type { Hook } from './types/hooks.cjs';\ndeclare namespace fastify {\n  export type Old = Hook;\n  export type { Hook };\n}",
  );
  const text = writeFastifyTypes(folder);
  expect(text).toContain("declare module 'fasti*fy' {");
  expect(text).toContain("import type { Socket } from 'node:net';");
  expect(text).toContain('export interface FastifyReply { socket: Socket }');
  expect(text).toContain('export type Hook = (reply: augmented.FastifyReply) => void;');
  expect(text).toContain('export type Old = Hook;');
});

test('a name that two modules declare throws', () => {
  const folder = createFacade({ 'a.d.cts': 'type One = 1;\n', 'b.d.cts': 'type One = 2;\n' });
  expect(() => writeFastifyTypes(folder)).toThrow('types/b.d.cts and types/a.d.cts both declare `One`');
});
