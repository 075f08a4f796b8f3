/**
 * Loads a heavy dependency when it is first needed, so that importing the framework stays cheap. Each file that loads late has its own
 * `require`: Node resolves it from there, and bundlers see what is loaded, because the build replaces it by that of CommonJS.
 */

/** Returns a function that calls `load` on its first call, and returns the same module on every call. */
export function lazyModule<T>(load: () => unknown): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load() as T;
    return loaded;
  };
}
