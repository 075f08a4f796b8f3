// Package managers, as the guide says: the facade as an alias for the application, and as an override for what pins another version.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { listTarballs } from './support/installed-application.mjs';
import { casesOfLevel } from './support/level.mjs';
import { startRegistry } from './support/registry.mjs';
import { interop, run } from './support/run.mjs';

const tools = `${interop}node_modules`;
const pnpm = [process.execPath, `${tools}/pnpm/bin/pnpm.cjs`];
const classic = [process.execPath, `${tools}/yarn/bin/yarn.js`];
const berry = [process.execPath, `${tools}/berry/bin/yarn.js`];
const alias = 'fastify@npm:@ambit/fastify';
const resolutions = { resolutions: { fastify: 'npm:@ambit/fastify@5.12.8' } };

let registry;
beforeAll(async () => {
  registry = await startRegistry(listTarballs());
});
afterAll(() => registry.close());

/** Files of an application that has the plugin already, and then takes the facade. */
function makeApplication(manifest, files) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ambit-managed-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'home'));
  const whole = {
    name: 'managed',
    version: '1.0.0',
    private: true,
    dependencies: { 'pins-fastify': '1.0.0' },
    ...manifest,
  };
  for (const [name, text] of Object.entries({ ...files, 'package.json': JSON.stringify(whole) }))
    writeFileSync(join(folder, name), text);
  return folder;
}

const program = `
  const fastify = require('fastify');
  const app = fastify();
  app.get('/', () => 'answered');
  app.inject('/').then(({ body }) => console.log(JSON.stringify({
    name: require('fastify/package.json').name,
    isShared: require('pins-fastify').fastify === fastify,
    body,
  })));`;

const npmrc = () => ({ '.npmrc': `registry=${registry.origin}/\n` });
const yarnrc = (nodeLinker) => ({
  'yarn.lock': '',
  '.yarnrc.yml': JSON.stringify({
    nodeLinker,
    npmRegistryServer: registry.origin,
    unsafeHttpWhitelist: ['localhost'],
    enableTelemetry: false,
    enableGlobalCache: false,
  }),
});

const managers = casesOfLevel([
  {
    manager: 'npm',
    inCi: true,
    files: npmrc,
    commands: [
      ['npm', 'pkg', 'set', 'dependencies.fastify=npm:@ambit/fastify@5.12.8', 'overrides.fastify=$fastify'],
      ['npm', 'install', '--no-audit', '--no-fund'],
    ],
  },
  {
    manager: 'pnpm',
    inCi: true,
    files: () => ({
      ...npmrc(),
      'pnpm-workspace.yaml': 'overrides:\n  fastify: npm:@ambit/fastify@5.12.8\n',
    }),
    commands: [[...pnpm, 'add', alias]],
  },
  {
    manager: 'Yarn 1',
    inCi: true,
    manifest: resolutions,
    files: npmrc,
    commands: [[...classic, 'add', '--non-interactive', alias]],
  },
  {
    manager: 'Yarn 4, node_modules',
    manifest: resolutions,
    files: () => yarnrc('node-modules'),
    commands: [[...berry, 'add', alias]],
    node: [...berry, 'node'],
  },
  {
    manager: "Yarn 4, Plug'n'Play",
    inCi: true,
    manifest: resolutions,
    files: () => yarnrc('pnp'),
    commands: [[...berry, 'add', alias]],
    node: [...berry, 'node'],
  },
]);

test.each(managers)(
  '$manager installs the facade as `fastify`, also for a package that pins another version',
  async (given) => {
    const { manifest, files, commands, node = [process.execPath] } = given;
    const folder = makeApplication(manifest, files());
    for (const [command, ...args] of commands) await run(folder, command, args);
    const [command, ...args] = node;
    const printed = await run(folder, command, [...args, '-e', program]);
    expect(JSON.parse(printed)).toEqual({ name: '@ambit/fastify', isShared: true, body: 'answered' });
  },
);
