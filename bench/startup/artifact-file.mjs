// The path of the artifact of a run.
export const artifactFile = new URL('../../.cache/bench/compiled.mjs', import.meta.url);
