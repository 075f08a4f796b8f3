/**
 * Measures whether Ajv should optimize the code that it generates (`code.optimize`): prints the cost of compiling a
 * thousand schemas with and without it, and how long one of their validators runs, as a ratio of without to with.
 * `docs/architecture/validation.md` has the results.
 */
import { Ajv } from 'ajv';
import { makeRoutes } from './startup/routes.mjs';
import { median } from './statistics.mjs';

const schemas = makeRoutes(1_000, true).map(({ schema }) => schema.body);
const makeBody = () => ({ name0: 'Ada', address: { city: 'London', zip0: 'N1' }, tags: ['a', 'b'] });
const pairs = Array.from({ length: 9 }, (_, round) => (round % 2 === 0 ? [true, false] : [false, true])).map(
  (order) => Object.fromEntries(order.map((optimize) => [optimize, measure(optimize)])),
);

function measure(/** @type {boolean} */ optimize) {
  const engine = new Ajv({
    coerceTypes: 'array',
    useDefaults: true,
    removeAdditional: true,
    addUsedSchema: false,
    code: { optimize },
  });
  const startUsage = process.cpuUsage();
  const validators = schemas.map((schema) => engine.compile(schema));
  const { user, system } = process.cpuUsage(startUsage);
  return {
    compileMs: (user + system) / 1000,
    runNs: Math.min(...Array.from({ length: 20 }, () => run(validators[0]))),
  };
}

function run(/** @type {import('ajv').ValidateFunction} */ validate) {
  const count = 50_000;
  const startMs = performance.now();
  for (let i = 0; i < count; i++) if (!validate(makeBody())) throw new Error('a valid body was rejected');
  return ((performance.now() - startMs) / count) * 1e6;
}

for (const figure of /** @type {const} */ (['compileMs', 'runNs'])) {
  const ratio = median(
    pairs.map(({ true: optimized, false: unoptimized }) => unoptimized[figure] / optimized[figure]),
  );
  const values = [false, true].map((key) => median(pairs.map((pair) => pair[key][figure])).toFixed(1));
  console.log(
    `${process.version} ${figure}: untidied ${values[0]}, tidied ${values[1]}, ratio ${ratio.toFixed(3)}`,
  );
}
