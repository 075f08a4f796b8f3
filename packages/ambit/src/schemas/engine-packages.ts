/** Loads modules of the engines' packages by name, for compiled functions, and reads the versions of the packages. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The `require` that compiled functions get. */
export const requirePackage: (name: string) => unknown = (name) => require(name);

export function versionOf(name: string): string {
  return require(`${name}/package.json`).version as string;
}
