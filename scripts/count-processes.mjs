// Makes Node count which lines the processes run that tests start, for scripts/coverage.mjs.
import { fileURLToPath } from 'node:url';

/** The folder in which each process writes a file when it ends. */
export const processCoverage = fileURLToPath(new URL('../.cache/coverage-of-processes', import.meta.url));

// Only processes that are started from now on see it: Vitest counts in its own.
process.env.NODE_V8_COVERAGE = processCoverage;
