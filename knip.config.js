// Finds files, exports and dependencies that nothing uses: `npm run check:unused`. With `--production`, tests count as
// no users of the packages' sources.
import { listReplacements } from './scripts/worker-bundle.mjs';

const isProduction = process.argv.includes('--production');

/** Modules that are loaded late: their exports are used, though not by name. */
const useLateModules = (source) =>
  [...source.matchAll(/\brequire\('(\.{1,2}\/[^']+\.ts)'\)/g)].reduce(
    (text, [, path], i) => `${text}\nimport * as late${i} from '${path}'; Object.values(late${i});`,
    source,
  );

function source(...entryPoints) {
  const tests = ['{src,test}/**/*.test{,-d}.ts', 'test/**/*.mjs', 'test/declarations/*.ts'];
  return {
    entry: [...tests, ...entryPoints.map((path) => `src/${path}!`)],
    project: ['src/**/*.ts!', 'test/**/*.{ts,mjs}'],
  };
}

export default {
  compilers: { ts: useLateModules },
  // Types may be exported for declarations that only name them.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
  rules: { cycles: 'error' },
  ...(isProduction && {
    include: 'files dependencies unlisted unresolved exports types enumMembers namespaceMembers cycles'.split(
      ' ',
    ),
  }),
  // The default export of the facade is its named one, and `swagger-ui-dist` is there only if an application installs it.
  // Tests, scripts and benchmarks also use what another project or the system installs.
  exclude: [
    'duplicates',
    'optionalPeerDependencies',
    ...(isProduction ? [] : ['unlisted', 'unresolved', 'binaries']),
  ],
  workspaces: {
    '.': {
      entry: [
        'scripts/*.test.mjs',
        // What other programs start.
        'scripts/{proxies,resolve-sources,rolling-restarts,soak}.mjs',
        'vitest.unbuilt.config.ts',
        'scripts/load/server.mjs',
        'scripts/consumers/facade.mjs',
        // Projects of their own.
        '{bench,ecosystem,interop}/**/*.{mjs,ts}',
      ],
      project: ['scripts/**/*.mjs'],
      // Only a code block of the docs imports it.
      ignoreDependencies: ['pino-pretty'],
    },
    'packages/*': source(),
    // The declarations of Fastify's types, which the build writes, import types of Ajv.
    'packages/ambit': { ...source(...listReplacements('ambit')), ignoreDependencies: ['ajv'] },
    // Its entry point is a CommonJS file that loads the build.
    'packages/fastify': source('index.ts'),
    'packages/json-validator': source(...listReplacements('json-validator')),
    'packages/openapi': source(...listReplacements('openapi')),
    'packages/cli': source('main.ts', 'serve/worker.ts', 'record-routes.ts'),
    'packages/create-ambit': source('main.ts'),
    // They share an application, which imports the dependencies of the others.
    'examples/*': { entry: ['**/*.{mjs,ts}'], ignoreDependencies: [/./] },
  },
};
