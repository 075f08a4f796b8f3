// Owns how the benchmark starts Ambit on Bun: `listen` serves with Bun.serve there.
export { start } from './ambit.mjs';
