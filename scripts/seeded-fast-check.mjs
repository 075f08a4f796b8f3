// fast-check with a fixed seed, in place of fast-check itself (an alias of vitest.config.ts): a property test gives the same
// verdict for the same code on each machine. `npm run fuzz -- --properties` gives the seed of the day, so that a nightly run tries others.
import { createRequire } from 'node:module';

const fc = createRequire(import.meta.url)('fast-check');
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? 1) });

export default fc;
