/** Loads heavy dependencies when they are first needed, so that importing the framework stays cheap. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** A function that loads the CommonJS module `name` on its first call and returns it from then on. */
export function lazyModule<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= require(name) as T;
    return loaded;
  };
}
