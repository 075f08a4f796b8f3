// Owns where the precompiled artifact of a run is.
export const artifactFile = new URL('../../.cache/bench/compiled.mjs', import.meta.url);
