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

/** Any character, as with the unit `binary` of fast-check, which fills a table of all characters to recognize one. */
const surrogates = 0xd800;
const surrogateCount = 0x800;
const character = fc.nat({ max: 0x10ffff - surrogateCount }).map(
  (at) => String.fromCodePoint(at < surrogates ? at : at + surrogateCount),
  (text) => {
    const point = /^\P{Surrogate}$/u.exec(text)?.[0].codePointAt(0);
    if (point === undefined) throw new Error('not one character');
    return point < surrogates ? point : point - surrogateCount;
  },
);

function string(constraints = {}) {
  return fc.string(constraints.unit === 'binary' ? { ...constraints, unit: character } : constraints);
}

export default { ...fc, assert: assertProperty, string };
