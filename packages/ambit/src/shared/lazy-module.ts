/** Loads heavy dependencies when they are first needed, so that importing the framework stays cheap. */
import { createRequire } from 'node:module';

/** For what is loaded late. In the build, which is CommonJS, it is the module's own: tools that bundle an application see what it loads. */
export const require: NodeJS.Require = createRequire(import.meta.url);

/** A function that calls `load` once, on its first call, and returns from then on what that gave. */
export function lazyModule<T>(load: () => unknown): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= load() as T;
    return loaded;
  };
}
