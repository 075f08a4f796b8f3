// How large a package may be. It does not read files itself.
//
// The limits say what the sources, without tests, hold today. When code goes, lower them. When a change breaks one, discuss the change: what
// else can go, or why a reader should hold more?

/** Files and lines of each package. */
const limits = {
  ambit: { files: 135, lines: 25_904 },
  cli: { files: 36, lines: 3_711 },
  'create-ambit': { files: 8, lines: 790 },
  fastify: { files: 4, lines: 120 },
  readable: { files: 14, lines: 2_242 },
  'form-data': { files: 5, lines: 825 },
  'http-engine': { files: 19, lines: 3_355 },
  inspector: { files: 14, lines: 2_115 },
  'json-schema': { files: 18, lines: 2_396 },
  'json-serializer': { files: 33, lines: 4_899 },
  'json-validator': { files: 15, lines: 2_722 },
  openapi: { files: 30, lines: 3_941 },
  opentelemetry: { files: 10, lines: 790 },
};

/** Lines of scripts/ and bench/, without lock files and recorded lists. */
export const toolLines = 7_495;

/** A longer file answers two questions. A shorter one than the second needs a reason. */
const longestFile = 500;
const shortFile = 50;
const here = '(scripts/sizes.mjs)';

/** Why a short file is a file of its own, by the reason. `index.ts` is the entry of a package. */
const shortFiles = {
  'an entry beside `index.ts`': ['json-serializer/src/load.ts'],
  'a path that plugins of Fastify import': [
    'fastify/src/lib/errors.ts',
    'fastify/src/lib/reply.ts',
    'fastify/src/lib/symbols.ts',
  ],
  constants: ['ambit/src/shared/version.ts', 'http-engine/src/reasons.ts', 'opentelemetry/src/version.ts'],
  'takes the place of another file, or its place is taken, in workers or in tests': [
    'ambit/src/context/worker-features.ts',
    'ambit/src/shared/framework-files.ts',
    'json-validator/src/engine-packages.ts',
    'json-validator/src/worker-engines.ts',
    'openapi/src/page/worker-page-files.ts',
  ],
  'is loaded early, and what it belongs to late, or the other way around': [
    'ambit/src/schemas/write-json.ts',
    'cli/src/commands/compile.ts',
    'cli/src/commands/dev.ts',
    'cli/src/commands/types.ts',
  ],
  'a program that Node loads': ['cli/src/record-routes.ts'],
  'one idea that many files share': [
    'readable/src/development-session.ts',
    'ambit/src/shared/lazy-module.ts',
    'cli/src/application/check-typescript.ts',
    'cli/src/routes/route-key.ts',
    'cli/src/serve/listen-options.ts',
    'cli/src/serve/reporter.ts',
    'cli/src/serve/stop-signals.ts',
    'cli/src/with-resolvers.ts',
    'json-schema/src/uri.ts',
    'json-validator/src/errors.ts',
    'openapi/src/json.ts',
    'openapi/src/openapi-error.ts',
    'opentelemetry/src/api.ts',
    'opentelemetry/src/instrumentation-error.ts',
  ],
  'is imported by clients in browsers, without the types of Node': ['ambit/src/types/route-schema.ts'],
  'hides a library of the runtime': ['opentelemetry/src/subscription.ts'],
};

/**
 * Checks the sources of a package.
 *
 * @param {string} name The folder of the package.
 * @param {Map<string, string>} sources The text of each source by its path inside src. Tests are not counted.
 * @param {Record<string, { files: number, lines: number }>} [allowed]
 * @returns {string[]} one line for each limit that is exceeded
 */
export function findTooLarge(name, sources, allowed = limits) {
  const lengths = [...sources]
    .filter(([path]) => !/\.test(-d)?\.ts$/.test(path))
    .map(([path, text]) => [path, text.split('\n').length - 1]);
  const tooLong = lengths
    .filter(([, length]) => length > longestFile)
    .map(([path, length]) => `${path}: size: ${length} lines, of at most ${longestFile}`);
  const short = lengths.filter(([path, length]) => length < shortFile && path !== 'index.ts');
  const reasons = Object.values(shortFiles).flat();
  const unexplained = short
    .filter(([path]) => !reasons.includes(`${name}/src/${path}`))
    .map(
      ([path, length]) => `${path}: size: ${length} lines: a file under ${shortFile} needs a reason ${here}`,
    );
  const stale = reasons
    .filter(
      (path) => path.startsWith(`${name}/src/`) && !short.some(([own]) => path === `${name}/src/${own}`),
    )
    .map((path) => `${path}: size: not a short file, so it needs no reason ${here}`);
  const problems = [...tooLong, ...unexplained, ...stale];
  const limit = allowed[name];
  if (limit === undefined) return [...problems, `size: the package ${name} has no limits ${here}`];
  const total = { files: lengths.length, lines: lengths.reduce((sum, [, length]) => sum + length, 0) };
  const exceeded = Object.keys(limit)
    .filter((what) => total[what] > limit[what])
    .map((what) => `size: ${total[what]} ${what}, of at most ${limit[what]} ${here}`);
  return [...problems, ...exceeded];
}
