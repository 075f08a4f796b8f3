/** Loads modules of the engines' packages by name, for compiled functions, and reads the versions of the packages. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The `require` that compiled functions get. */
export const requirePackage: (name: string) => unknown = (name) => require(name);

const versionOf = (name: string): string => require(`${name}/package.json`).version as string;

/** Returns the versions of the packages that decide what is compiled, by their names. */
export function engineVersions(): Readonly<Record<string, string>> {
  const names = ['ajv', 'ajv-formats', '@ambit/json-serializer'];
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]));
}
