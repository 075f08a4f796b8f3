// The steps of `npm test`, of CI and of `npm run nightly`, in the order in which their output is printed.
//
// A step is a command that passes or fails. `needs` names the steps that must pass before it, `cores` is how many of the
// two cores it uses, half of one if it mostly waits, and `limitMinutes` ends one that hangs: a few times what it takes on a
// slow machine.

/** `npm test` runs the first level, CI the first two, and `npm run nightly` the last one. */
export const levels = ['test', 'ci', 'nightly'];

const otherNodes = [22, 24, 26];
const servers = ['haproxy', 'nginx', 'postgresql', 'redis-server'];
const needsOfInterop = ['install-interop', 'nodes'];
const needsOfCreate = [...needsOfInterop, 'debian'];
const clients = ['chromium', 'curl', 'golang-go', 'python3-requests'];

/** All steps of all levels. */
export function listSteps() {
  const inLevel = (level, steps) =>
    steps.map((step) => ({
      cores: 1,
      needs: [],
      env: {},
      level,
      limitMinutes: level === 'nightly' ? 120 : 20,
      ...step,
    }));
  return [
    ...inLevel('test', stepsOfTest()),
    ...inLevel('ci', stepsOfCi()),
    ...inLevel('nightly', stepsOfNightly()),
  ];
}

function stepsOfTest() {
  return [
    { name: 'lint', title: 'format and lint', command: 'npm run --silent lint' },
    { name: 'build', title: 'build', command: 'npm run --silent build' },
    { name: 'layers', title: 'layers', command: 'npm run --silent check:layers' },
    { name: 'types', title: 'types of the tests', command: 'npm run --silent check:types', needs: ['build'] },
    vitest('core', 'tests of the core', '--project core', [], 3),
    vitest('packages', 'tests of the other packages', '--project packages --project alone', [], 2),
  ];
}

function stepsOfCi() {
  return [
    {
      name: 'docs',
      title: 'code blocks of the docs',
      command: 'npm run --silent check:docs',
      needs: ['build'],
    },
    { name: 'package', title: 'packaging', command: 'npm run --silent check:package', needs: ['build'] },
    install('ecosystem'),
    install('interop'),
    installed('nodes', 'other versions of Node', `provide-node.mjs 22.18 ${otherNodes.join(' ')}`),
    installed('debian', 'servers and clients', `debian.mjs ${[...servers, ...clients].join(' ')}`),
    vitest('create', 'created applications', '--root interop/create', needsOfCreate),
    vitest('interop', 'runtimes, runners, managers and agents', '--root interop', needsOfInterop),
    {
      name: 'conformance',
      title: "Fastify's own tests with the facade",
      command: 'node scripts/conformance.mjs --if-present --no-build',
      needs: ['build'],
    },
    {
      name: 'flows',
      title: 'files that run',
      command: 'node scripts/check-flows.mjs --if-present',
      needs: ['build'],
      cores: 0.5,
    },
    {
      name: 'unbuilt',
      title: 'an example and tests from the sources, without a build',
      command: 'node scripts/run-unbuilt.mjs 24 26',
      needs: ['nodes'],
      env: { TEST_COUNTS_RUN: 'unbuilt' },
    },
    ...otherNodes.map((major) => onNode(major, '')),
    vitest('ecosystem', 'published plugins', '--root ecosystem --project ecosystem', [
      'ecosystem-types',
      'nodes',
      'debian',
    ]),
    {
      name: 'ecosystem-types',
      title: 'types of published plugins',
      command: 'npx tsc -p ecosystem',
      needs: ['build', 'install-ecosystem'],
    },
    ...[
      vitest('browser', 'plugins in a browser', '--root ecosystem --project browser', [
        'install-ecosystem',
        'debian',
      ]),
      // Its programs import packages that the install of interop is writing in the meantime.
      vitest('clients', 'clients of the HTTP engine', '--root interop/clients', [
        'install-interop',
        'debian',
      ]),
      vitest('fleet', 'replicas that are killed', '--root examples/fleet/integration', ['debian']),
      {
        name: 'proxies',
        title: 'the HTTP engine behind proxies',
        command: 'node scripts/proxies.mjs',
        needs: ['build', 'debian'],
      },
      {
        name: 'restarts',
        title: 'restarts of replicas',
        command:
          'node scripts/rolling-restarts.mjs --restarts 2 --scenes haproxy,nginx,cluster --frameworks ambit',
        needs: ['build', 'debian'],
      },
    ].map((step) => ({ ...step, cores: 0.5 })),
    fuzz('fuzz', 'fuzzing for half a minute', '--seconds 30 --seed 1'),
  ];
}

function stepsOfNightly() {
  const everything = { TEST_LEVEL: 'nightly' };
  return [
    ...otherNodes.map((major) => onNode(major, ' --all')),
    {
      ...vitest('create-all', 'created applications, all', '--root interop/create', needsOfCreate),
      env: everything,
    },
    {
      ...vitest('interop-all', 'runtimes, runners and managers, all', '--root interop', needsOfInterop),
      env: everything,
    },
    {
      name: 'coverage',
      title: 'coverage',
      command: 'node scripts/coverage.mjs',
      needs: ['build'],
      cores: 2,
    },
    fuzz('properties', 'all inputs of the property tests', '--seconds 60 --seed 1 --properties'),
    fuzz('fuzz-hour', 'fuzzing for an hour with the seed of the day', '--seconds 3600 --properties', 2),
    fuzz(
      'fuzz-guards',
      'a million spellings and requests',
      '--inputs 1000000 --targets guards,media-types-past-schemas,wire',
      2,
    ),
    {
      name: 'soak',
      title: 'an hour of mixed traffic',
      command: 'node scripts/soak.mjs --minutes 60 --out .cache/soak.json',
      needs: ['build', 'nodes'],
      cores: 2,
    },
  ];
}

/** A run of Vitest. With `workers`, what waits in one does not hold up the other, though another step runs beside both. */
function vitest(name, title, args, needs = [], workers = 1) {
  return {
    name,
    title,
    command: `npx vitest run ${args} --maxWorkers=${workers}`,
    needs: ['build', ...needs],
    env: { TEST_COUNTS_RUN: name },
  };
}

/** Tests on another version of Node. */
function onNode(major, flag) {
  const name = `node-${major}${flag === '' ? '' : '-all'}`;
  return {
    name,
    title: `${flag === '' ? 'what may differ' : 'all tests'} on Node ${major}`,
    command: `node scripts/node-matrix.mjs${flag} ${major}`,
    needs: ['build', 'nodes'],
    // Most of its time, it waits.
    cores: 0.5,
    env: {
      TEST_COUNTS_RUN: name,
      TEST_WORKERS: '1',
      ...(flag === '' ? { TEST_LEVEL: 'test', PROPERTY_SHARE: '0.1' } : {}),
    },
  };
}

function fuzz(name, title, args, cores = 1) {
  return {
    name,
    title,
    command: `node scripts/fuzz.mjs ${args}`,
    needs: ['build'],
    env: { TEST_COUNTS_RUN: name, TEST_WORKERS: String(cores) },
    cores,
  };
}

function install(project) {
  return installed(`install-${project}`, `the packages of ${project}`, `install.mjs ${project}`);
}

function installed(name, what, command) {
  return { name, title: `install ${what}`, command: `node scripts/${command}`, cores: 0.5 };
}
