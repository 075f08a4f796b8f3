/** Loads modules of the engines' packages by name, for compiled functions, and reads the versions of the packages. */
import { require } from '../shared/lazy-module.ts';

/** Loads modules of the engines' packages by name, for compiled functions, and reads the versions of the packages. */

/** The `require` that compiled functions get. */
export const requirePackage: (name: string) => unknown = (name) => require(name);

export function versionOf(name: string): string {
  return require(`${name}/package.json`).version as string;
}
