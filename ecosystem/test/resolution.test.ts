/** What the packages under test find under the name `fastify`: the facade, and no copy of Fastify anywhere. */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';

const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
const facade = fileURLToPath(new URL('../../packages/fastify', import.meta.url));
const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
/** Ours come from this repository. */
const published = Object.keys(dependencies).filter((name) => !dependencies[name].startsWith('file:'));

test.each(published)('%s finds the facade under the name fastify', (name) => {
  const found = createRequire(`${realpathSync(`${modules}/${name}`)}/`).resolve('fastify/package.json');
  expect(realpathSync(found)).toBe(`${facade}/package.json`);
});

test.each(published)('%s is pinned to one version', (name) => {
  expect(dependencies[name]).toMatch(/^\d+\.\d+\.\d+$/);
});

test('there is one package of the name fastify, and it is the facade', () => {
  const copies = readdirSync(modules, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(^|[\\/]node_modules[\\/])fastify$/.test(path),
  );
  expect(copies).toEqual(['fastify']);
  expect(realpathSync(`${modules}/fastify`)).toBe(facade);
});

test('import and require load the same facade', () => {
  const required = createRequire(import.meta.url)('fastify');
  expect(required).toBe(fastify);
});
