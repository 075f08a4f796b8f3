// Runs once before all tests: packs the packages, and installs them in a fresh application, the facade as `fastify`.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { startRegistry } from './registry.mjs';
import { application, interop, nodeOf, run, tarballs } from './run.mjs';

const packages = `${interop}../packages`;
const examples = `${interop}../examples`;
/** The examples for runtimes, which are beside one another as in the repository. */
const copiedExamples = ['runtimes', 'bun', 'deno', 'cloudflare'];

export default async function installApplication() {
  rmSync(tarballs, { recursive: true, force: true });
  mkdirSync(tarballs);
  for (const folder of [
    ...readdirSync(packages).map((name) => `${packages}/${name}`),
    `${interop}programs/pins-fastify`,
  ])
    await run(folder, 'npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs]);
  rmSync(application, { recursive: true, force: true });
  cpSync(`${interop}programs`, application, { recursive: true });
  for (const name of copiedExamples)
    cpSync(`${examples}/${name}`, `${application}/examples/${name}`, { recursive: true });
  const registry = await startRegistry(listTarballs());
  const pluginVersion = JSON.parse(readFileSync(`${interop}../package.json`, 'utf8')).devDependencies[
    'fastify-plugin'
  ];
  writeFileSync(`${application}/package.json`, JSON.stringify({ name: 'application', private: true }));
  const wanted = [
    'fastify@npm:@ambit/fastify',
    'ambit',
    '@ambit/cli',
    '@ambit/json-serializer',
    '@ambit/openapi',
    `fastify-plugin@${pluginVersion}`,
  ];
  await run(application, 'npm', [
    'install',
    '--no-audit',
    '--no-fund',
    `--registry=${registry.origin}`,
    ...wanted,
  ]);
  registry.close();
  const expected = {};
  for (const major of ['20', '24'])
    expected[major] = JSON.parse(await run(application, nodeOf(major), ['expect.cjs']));
  writeFileSync(`${application}/expected.json`, JSON.stringify(expected));
}

export function listTarballs() {
  return readdirSync(tarballs).map((name) => `${tarballs}/${name}`);
}
