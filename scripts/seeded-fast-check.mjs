// fast-check with a fixed seed. vitest.config.ts replaces fast-check with it, so that a property test has the same result
// for the same code on each machine. Of the inputs that a property asks for, `npm test` tries a tenth, CI a quarter, and the
// nightly run all of them (`PROPERTY_SHARE`), also with the seed of the day (`FUZZ_SEED`).
import { createRequire } from 'node:module';

const fc = createRequire(import.meta.url)('fast-check');
const { FUZZ_SEED = '1', PROPERTY_SHARE = '0.1' } = process.env;
/** What fast-check tries if a property asks for nothing. */
const defaultRuns = 100;
const fewestRuns = 5;

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FUZZ_SEED) });

function assertProperty(property, parameters = {}) {
  const { numRuns = defaultRuns } = parameters;
  const share = Math.ceil(numRuns * Number(PROPERTY_SHARE));
  return fc.assert(property, { ...parameters, numRuns: Math.min(numRuns, Math.max(fewestRuns, share)) });
}

export default { ...fc, assert: assertProperty };
