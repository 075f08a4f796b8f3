// Applications that are created and run with pnpm, Yarn and Bun, each of which the program finds out by itself.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { casesOfLevel } from '../test/support/level.mjs';
import { interop, run } from '../test/support/run.mjs';
import { startServer } from '../test/support/start-server.mjs';
import { environmentOf, makeFolder } from './support/application.mjs';

const tools = `${interop}node_modules`;

const managers = casesOfLevel([
  {
    manager: 'pnpm',
    program: ['node', `${tools}/pnpm/bin/pnpm.cjs`],
    name: 'pnpm',
    lockFile: 'pnpm-lock.yaml',
    inCi: true,
  },
  { manager: 'Yarn 1', program: ['node', `${tools}/yarn/bin/yarn.js`], name: 'yarn', lockFile: 'yarn.lock' },
  {
    manager: 'Yarn 4',
    program: ['node', `${tools}/berry/bin/yarn.js`],
    name: 'yarn',
    lockFile: 'yarn.lock',
    inCi: true,
  },
  { manager: 'Bun', program: [`${tools}/bun/bin/bun.exe`], name: 'bun', lockFile: 'bun.lock' },
]);

describe.each(managers)('$manager', ({ program: [program, ...args], name, lockFile }) => {
  const { folder, remove } = makeFolder();
  afterAll(remove);
  const application = join(folder, 'notes');
  const env = {
    ...environmentOf('24'),
    // Each manager says who it is, unless somebody has said it before.
    npm_config_user_agent: undefined,
    // A home of its own: what other projects have set for the package manager does not count here.
    HOME: folder,
    XDG_CACHE_HOME: join(folder, 'cache'),
    XDG_DATA_HOME: join(folder, 'data'),
    YARN_NPM_REGISTRY_SERVER: inject('registry'),
    YARN_UNSAFE_HTTP_WHITELIST: 'localhost',
    YARN_ENABLE_TELEMETRY: '0',
  };
  const manage = (cwd, ...more) => run(cwd, program, [...args, ...more], env);

  test('`create ambit` creates an application, which is installed, tested and served', async () => {
    const printed = await manage(folder, 'create', 'ambit', 'notes', '--javascript');
    expect(printed).toContain(`Next:\n  cd notes\n  ${name} install && ${name} run dev\n`);
    await manage(application, 'install');
    expect(existsSync(join(application, lockFile))).toBe(true);
    expect(await manage(application, 'run', 'test')).toMatch(/fail 0\n/);
    const { origin, stop } = await startServer(application, [program, ...args, 'run', 'start'], {
      ...env,
      PORT: '0',
    });
    expect(await (await fetch(`${origin}/hello/ada`)).json()).toEqual({ greeting: 'hello ada' });
    await stop();
  });

  test('the files of the template service name the lock file', async () => {
    await manage(folder, 'create', 'ambit', 'service', '--template', 'service', '--javascript');
    const dockerfile = readFileSync(join(folder, 'service/Dockerfile'), 'utf8');
    expect(dockerfile).toMatch(new RegExp(`COPY package.json ${lockFile}`));
  });
});
