/** Loads heavy dependencies when they are first needed, so that importing the framework stays cheap. */

/** A function that calls `load` once, on its first call, and returns from then on what that gave. */
export function lazyModule<T>(load: () => unknown): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load() as T;
    return loaded;
  };
}
