// fast-check with a fixed seed. vitest.config.ts replaces fast-check with it, so that a property test has the same result
// for the same code on each machine. `npm run fuzz -- --properties` sets a seed for each day, so that a nightly run tests
// other inputs.
import { createRequire } from 'node:module';

const fc = createRequire(import.meta.url)('fast-check');
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? 1) });

export default fc;
