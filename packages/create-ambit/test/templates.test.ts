/** Tests the templates in the package: both languages, and the versions of their dependencies. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const templates = join(root, 'packages/create-ambit/dist/templates');

function readJson(path: string) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readSources(template: string, language: string) {
  const folder = join(templates, template, language);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.[jt]s$/.test(path))
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')] as const);
}

const everyTemplate = [
  'minimal',
  'service',
  'minimal-bun',
  'service-bun',
  'minimal-deno',
  'service-deno',
  'minimal-cloudflare',
  'service-cloudflare',
];

test.each(everyTemplate)('%s installs the versions that the repository is tested with', (template) => {
  const { dependencies, devDependencies } = readJson(join(templates, template, 'typescript/package.json'));
  const tested = {
    ...readJson(join(root, 'packages/ambit/package.json')).dependencies,
    ...readJson(join(root, 'interop/package.json')).dependencies,
    ...readJson(join(root, 'package.json')).devDependencies,
  };
  // Both are released together.
  tested['@types/bun'] = tested.bun;
  const { version } = readJson(join(root, 'packages/ambit/package.json'));
  const { '@types/node': _, ...others } = { ...dependencies, ...devDependencies };
  for (const [name, range] of Object.entries(others))
    expect([name, String(range).replace('^', '')]).toEqual([
      name,
      (tested[name] ?? version).replace('^', ''),
    ]);
});

test.each(['minimal', 'service'])(
  '%s for Bun has the compiler options of Node, with the types of Bun',
  (template) => {
    const [onBun, onNode] = [`${template}-bun`, template].map((name) =>
      readJson(join(templates, name, 'typescript/tsconfig.json')),
    );
    expect(onBun.compilerOptions).toEqual({ ...onNode.compilerOptions, types: ['bun'] });
  },
);

test.each(everyTemplate)('%s has no casts, and suppresses no errors', (template) => {
  for (const [path, source] of readSources(template, 'typescript'))
    expect(source, path).not.toMatch(
      / as [A-Z{]| as (unknown|never|any)\b|: any\b|<any>|@ts-|biome-ignore|\w!\./,
    );
});

test.each(everyTemplate)('%s in JavaScript has the same files without types', (template) => {
  const typeScript = readSources(template, 'typescript')
    .map(([path]) => path.replace(/\.ts$/, '.js'))
    .filter((path) => !path.endsWith('.d.js'));
  const javaScript = readSources(template, 'javascript');
  expect(javaScript.map(([path]) => path).sort()).toEqual(typeScript.sort());
  for (const [path, source] of javaScript)
    expect(source, path).not.toMatch(/import type|interface |\.ts'|: string\b|\/\*\*[^\n]*\*\/\n\n/);
  const manifest = readJson(join(templates, template, 'javascript/package.json'));
  expect(JSON.stringify(manifest)).not.toMatch(/typescript|@types|tsc|\.ts\b/);
  expect(readFileSync(join(templates, template, 'javascript/README.md'), 'utf8')).not.toMatch(
    /TypeScript|\.ts\b/,
  );
});
