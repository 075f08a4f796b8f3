/** Loads heavy dependencies when they are first needed, so that importing the framework stays cheap. */
import { createRequire } from 'node:module';

/** For modules that are loaded late. The build is CommonJS and uses the module's own `require`, so bundlers see which modules it loads. */
export const require: NodeJS.Require = createRequire(import.meta.url);

/** Returns a function that calls `load` on its first call, and returns the same module on every call. */
export function lazyModule<T>(load: () => unknown): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load() as T;
    return loaded;
  };
}
