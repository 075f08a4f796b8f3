// How large a package may be. It does not read files itself.
//
// The limits say what the sources, without tests, hold today. When code goes, lower them. When a change breaks one, discuss the change: what
// else can go, or why a reader should hold more?

/** Files and lines of each package. */
const limits = {
  ambit: { files: 171, lines: 32_200 },
  cli: { files: 35, lines: 3_300 },
  'create-ambit': { files: 8, lines: 800 },
  fastify: { files: 4, lines: 120 },
  'http-engine': { files: 19, lines: 3_500 },
  inspector: { files: 13, lines: 1_710 },
  'json-schema': { files: 16, lines: 1_800 },
  'json-serializer': { files: 33, lines: 4_900 },
  openapi: { files: 31, lines: 4_000 },
  opentelemetry: { files: 12, lines: 810 },
};

/** A longer file answers two questions. */
const longestFile = 500;

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
  const long = lengths
    .filter(([, length]) => length > longestFile)
    .map(([path, length]) => `${path}: size: ${length} lines, of at most ${longestFile}`);
  const limit = allowed[name];
  if (limit === undefined) return [...long, `size: the package ${name} has no limits in scripts/sizes.mjs`];
  const total = { files: lengths.length, lines: lengths.reduce((sum, [, length]) => sum + length, 0) };
  const exceeded = Object.keys(limit)
    .filter((what) => total[what] > limit[what])
    .map((what) => `size: ${total[what]} ${what}, of at most ${limit[what]} (scripts/sizes.mjs)`);
  return [...long, ...exceeded];
}
