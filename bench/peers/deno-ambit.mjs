// Owns how the benchmark starts Ambit on Deno: `listen` serves with Deno.serve there.
export { start } from './ambit.mjs';
