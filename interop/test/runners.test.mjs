// Each test runner as its users start it: no flags, and nothing configured but where the tests are.
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { casesOfLevel } from './support/level.mjs';
import { application, interop, nodeOf, run } from './support/run.mjs';

const tools = `${interop}node_modules`;
const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
const jest = (version) => [`${tools}/jest-${version}/bin/jest.js`, '--rootDir', 'jest'];

// What runners change is the same on both.
describe.each(casesOfLevel([{ major: '20' }, { major: '24', inCi: true }]))('on Node $major', ({ major }) => {
  test.each([
    ['Jest 29', jest(29)],
    ['Jest 30', jest(30)],
    ['Vitest', [vitest, 'run', '--root', 'vitest']],
    ['Mocha', [`${tools}/mocha/bin/mocha.js`, 'mocha/*.spec.cjs']],
    ['node:test', ['--test', 'node-test/application.test.mjs']],
    // Its runner starts what it finds as `node` in the path.
    [
      'tap',
      [
        `${tools}/tap/dist/esm/run.mjs`,
        'run',
        '--disable-coverage',
        '--reporter=tap',
        'tap/application.test.cjs',
      ],
    ],
  ])('both flavors answer under %s as they do outside of it', async (_name, args) => {
    const node = nodeOf(major);
    const env = { PATH: `${node.slice(0, node.lastIndexOf('/'))}:${process.env.PATH}` };
    await expect(run(application, node, args, env)).resolves.toEqual(expect.any(String));
  });
});

test('both flavors are ES modules to a test that is one, under the flag that Jest asks for', async () => {
  const args = [`${tools}/jest-30/bin/jest.js`, '--rootDir', 'jest-modules', '--testMatch', '**/*.test.mjs'];
  const env = { NODE_OPTIONS: '--experimental-vm-modules' };
  await expect(run(application, nodeOf('24'), args, env)).resolves.toEqual(expect.any(String));
});
