// The steps of `npm test`, of CI and of `npm run nightly`, in the order in which they start.
//
// A step is a command of the shell that passes or fails. Its needs are the steps that must pass before it, and `cores` is how
// many of the two cores it uses: half of one if it mostly waits.

/** `npm test` runs the first level, CI the first two, and `npm run nightly` the last one. */
export const levels = ['test', 'ci', 'nightly'];

/** Ends a step that hangs: a few times what it takes on a slow machine. */
const limitMinutes = { test: 20, ci: 20, nightly: 120 };

// What waits in one worker of Vitest does not hold up the others, though another step runs beside them.
const vitest = 'npx vitest run --maxWorkers';
const onNode = 'TEST_WORKERS=1 node scripts/node-matrix.mjs';
const someOnNode = `TEST_LEVEL=test PROPERTY_SHARE=0.1 ${onNode}`;
const all = 'TEST_LEVEL=nightly';
const interop = 'build, install-interop, nodes';
const debian = 'haproxy nginx postgresql redis-server chromium curl golang-go python3-requests';
const restarts = '--restarts 2 --scenes haproxy,nginx,cluster --frameworks ambit';
const guards = '--inputs 1000000 --targets guards,media-types-past-schemas,wire';

/** Level | name | cores | needs | title | command */
const table = `
test    | lint              | 1   |                                        | format and lint | npm run --silent lint
test    | build             | 1   |                                        | build | npm run --silent build
test    | layers            | 1   |                                        | layers | npm run --silent check:layers
test    | types             | 1   | build                                  | types of the tests | npm run --silent check:types
test    | core              | 0.5 | build                                  | tests of the core's parts | ${vitest}=2 --project core
test    | packages          | 0.5 | build                                  | tests of the whole core and of the other packages | ${vitest}=2 --project packages --project alone
ci      | docs              | 1   | build                                  | code blocks of the docs | npm run --silent check:docs
ci      | package           | 1   | build                                  | packaging | npm run --silent check:package
ci      | install-ecosystem | 0.5 |                                        | install the packages of ecosystem | node scripts/install.mjs ecosystem
ci      | install-interop   | 0.5 |                                        | install the packages of interop | node scripts/install.mjs interop
ci      | nodes             | 0.5 |                                        | install other versions of Node | node scripts/provide-node.mjs 22.18 22 24 26
ci      | debian            | 0.5 |                                        | install servers and clients | node scripts/debian.mjs ${debian}
ci      | create            | 1   | ${interop}, debian                     | created applications | ${vitest}=1 --root interop/create
ci      | interop           | 1   | ${interop}                             | runtimes, runners, managers and agents | ${vitest}=1 --root interop
ci      | conformance       | 1   | build                                  | Fastify's own tests with the facade | node scripts/conformance.mjs --if-present --no-build
ci      | flows             | 0.5 | build                                  | files that run | node scripts/check-flows.mjs --if-present
ci      | unbuilt           | 1   | nodes                                  | an example and tests from the sources, without a build | node scripts/node-matrix.mjs --unbuilt 24 26
ci      | node-22           | 0.5 | build, nodes                           | what may differ on Node 22 | ${someOnNode} 22
ci      | node-24           | 0.5 | build, nodes                           | what may differ on Node 24 | ${someOnNode} 24
ci      | node-26           | 0.5 | build, nodes                           | what may differ on Node 26 | ${someOnNode} 26
ci      | ecosystem         | 1   | build, ecosystem-types, nodes, debian  | published plugins | ${vitest}=1 --root ecosystem --project ecosystem
ci      | ecosystem-types   | 1   | build, install-ecosystem               | types of published plugins | npx tsc -p ecosystem
ci      | browser           | 0.5 | build, install-ecosystem, debian       | plugins in a browser | ${vitest}=1 --root ecosystem --project browser
ci      | clients           | 0.5 | build, install-interop, debian         | clients of the HTTP engine | ${vitest}=1 --root interop/clients
ci      | fleet             | 0.5 | build, debian                          | replicas that are killed | ${vitest}=1 --root examples/fleet/integration
ci      | proxies           | 0.5 | build, debian                          | the HTTP engine behind proxies | node packages/http-engine/test/proxies/run.mjs
ci      | restarts          | 0.5 | build, debian                          | restarts of replicas | node scripts/rolling-restarts.mjs ${restarts}
ci      | fuzz              | 1   | build                                  | fuzzing for half a minute | TEST_WORKERS=1 node scripts/fuzz.mjs --seconds 30 --seed 1
nightly | node-22-all       | 0.5 | build, nodes                           | all tests on Node 22 | ${onNode} --all 22
nightly | node-24-all       | 0.5 | build, nodes                           | all tests on Node 24 | ${onNode} --all 24
nightly | node-26-all       | 0.5 | build, nodes                           | all tests on Node 26 | ${onNode} --all 26
nightly | create-all        | 1   | ${interop}, debian                     | created applications, all | ${all} ${vitest}=1 --root interop/create
nightly | interop-all       | 1   | ${interop}                             | runtimes, runners and managers, all | ${all} ${vitest}=1 --root interop
nightly | coverage          | 2   | build                                  | coverage | npm run --silent coverage
nightly | properties        | 1   | build                                  | all inputs of the property tests | TEST_WORKERS=1 node scripts/fuzz.mjs --seconds 60 --seed 1 --properties
nightly | fuzz-hour         | 2   | build                                  | fuzzing for an hour with the seed of the day | TEST_WORKERS=2 node scripts/fuzz.mjs --seconds 3600 --properties
nightly | fuzz-guards       | 2   | build                                  | a million spellings and requests | TEST_WORKERS=2 node scripts/fuzz.mjs ${guards}
nightly | soak              | 2   | build, nodes                           | an hour of mixed traffic | node scripts/soak.mjs --minutes 60 --out .cache/soak.json
`;

export function listSteps() {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [level, name, cores, needs, title, command] = row.split(' | ').map((cell) => cell.trim());
      return {
        level,
        name,
        title,
        command,
        cores: Number(cores),
        needs: needs.split(', ').filter(Boolean),
        limitMinutes: limitMinutes[level],
      };
    });
}
