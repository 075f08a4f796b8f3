/** Declarations of `random.mjs`, for tests in TypeScript. */
export function randomFrom(seed: number): () => number;
export function nextArrivalMs(random: () => number, perSecond: number): number;
