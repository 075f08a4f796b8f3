// The packages of this repository: their folders, and where the source of each begins.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { root } from './steps.mjs';

const packages = `${root}packages/`;

/** The folder and the package.json of each package. A folder without one was a package in an earlier commit. */
export function listPackages() {
  const folders = readdirSync(packages).filter((folder) => existsSync(`${packages}${folder}/package.json`));
  return folders.map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(`${packages}${folder}/package.json`, 'utf8')),
  }));
}

/** All packages that can be imported, and the entries beside their `index.ts`. */
const entries = [
  ...listPackages()
    .filter(({ manifest }) => manifest.exports['.'] !== undefined)
    .map(({ folder, manifest }) => [manifest.name, `${folder}/src/index.ts`]),
  ['ambit/client', 'ambit/src/client/client.ts'],
  ['@ambit/json-serializer/runtime', 'json-serializer/src/load.ts'],
];

/** @type {ReadonlyMap<string, URL>} By the name under which it is imported. */
export const packageSources = new Map(entries.map(([name, path]) => [name, pathToFileURL(packages + path)]));
