/** Replaces js-runtime.ts in the build for workers: a worker has no server of its own, and bundlers remove the code for other runtimes. */

export const bun = undefined;
export const deno = undefined;
export const isNode = false;
