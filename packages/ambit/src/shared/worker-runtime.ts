/** Stands in for js-runtime.ts: a worker has no server of its own, and bundlers leave out what the others need. */

export const bun = undefined;
export const deno = undefined;
export const isNode = false;
export const isWorker = true;
