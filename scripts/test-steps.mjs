// The steps of `npm test`, of CI and of `npm run nightly`, in the order in which their output is printed.
//
// A step is a command that passes or fails. `needs` names the steps that must pass before it; `cores` is how many of the
// two cores it uses.

/** `npm test` runs the first level, CI the first two, and `npm run nightly` the last one. */
export const levels = ['test', 'ci', 'nightly'];

const otherNodes = [22, 24, 26];

export function listSteps() {
  return [...testSteps(), ...ciSteps(), ...nightlySteps()].map((step) => ({
    cores: 1,
    needs: [],
    env: {},
    ...step,
  }));
}

function testSteps() {
  return [
    { name: 'build', title: 'build', command: 'node scripts/build.mjs' },
    { name: 'lint', title: 'format and lint', command: 'npm run --silent lint' },
    { name: 'layers', title: 'layers', command: 'npm run --silent check:layers' },
    { name: 'types', title: 'types of the tests', command: 'npm run --silent check:types', needs: ['build'] },
    vitest('core', 'tests of the core', '--project ambit', { env: counts('core') }),
    vitest('packages', 'tests of the other packages', '--project packages', { env: counts('packages') }),
    { name: 'docs', title: 'code blocks of the docs', command: 'npm run --silent check:docs', needs: ['build'] },
    { name: 'package', title: 'packaging', command: 'npm run --silent check:package', needs: ['build'] },
  ].map((step) => ({ ...step, level: 'test' }));
}

function ciSteps() {
  const debian = ['chromium', 'curl', 'golang-go', 'haproxy', 'nginx', 'postgresql', 'python3-requests', 'redis-server'];
  return [
    install('ecosystem'),
    install('interop'),
    { name: 'nodes', title: 'install other versions of Node', command: `node scripts/provide-node.mjs ${otherNodes.join(' ')}` },
    { name: 'debian', title: 'install servers and browsers', command: `node scripts/debian.mjs ${debian.join(' ')}` },
    ...otherNodes.map((major) => onNode(major, 'what may differ', 'node scripts/node-matrix.mjs')),
    {
      name: 'conformance',
      title: "Fastify's own tests with the facade",
      command: 'node scripts/conformance.mjs --if-present --no-build',
      needs: ['build'],
    },
    vitest('ecosystem', 'published plugins', '--root ecosystem --project ecosystem', {
      needs: ['build', 'install-ecosystem', 'nodes', 'debian'],
    }),
  ].map((step) => ({ ...step, level: 'ci' }));
}
