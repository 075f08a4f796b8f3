// Tests that the declarations that replace `fastify` are complete. `npm run check:package` compiles plugins with them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { writeFastifyTypes } from './fastify-types.mjs';
import { root } from './steps.mjs';

const facade = `${root}packages/fastify`;

test('every type that the facade exports is exported', () => {
  const [, exported] = /export type \{\n([^}]+)\};\n\}/.exec(readFileSync(`${facade}/entry.d.cts`, 'utf8'));
  const names = exported.match(/\w+/g);
  const text = writeFastifyTypes(facade);
  const isExported = (name) =>
    new RegExp(`export (interface|type) ${name}\\b|export type \\{[^}]*\\b${name}\\b`).test(text);
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !isExported(name))).toEqual([]);
});
