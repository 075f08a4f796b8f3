/** What is loaded by its name from the packages of the engines: by compiled functions, and to compare versions. */
import { require } from '../../shared/lazy-module.ts';

/** Passed to compiled functions. */
export const requirePackage: (name: string) => unknown = (name) => require(name);

export function versionOf(name: string): string {
  return require(`${name}/package.json`).version as string;
}
