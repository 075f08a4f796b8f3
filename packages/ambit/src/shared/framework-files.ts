/** Knows the files of the framework itself: their frames in a stack are not where the application made a mistake. */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** URLs of modules of other packages of ours. Their folders are computed when an error needs a location, and not at import. */
const modules = new Set<string>();
let folders: string[] | undefined;

/** Adds the folders of another package of ours, such as a facade: of its build and of its sources. @param module The URL of its module. */
export function addFrameworkFolder(module: string): void {
  modules.add(module);
  folders = undefined;
}

/** @param path A path, with or without line and column. */
export function isFrameworkFile(path: string): boolean {
  folders ??= [findRoot(import.meta.url), ...modules].flatMap(listFolders);
  return folders.some((folder) => path.startsWith(folder));
}

/** Packages that this one depends on. In the repository they stand beside it; when installed, they are in `node_modules`. */
const dependencies = 'readable form-data http-engine json-schema json-serializer json-validator'.split(' ');

function findRoot(module: string): string {
  return /^.*\/(?:src|dist)\//.exec(module)?.[0] ?? module;
}

function listFolders(module: string): string[] {
  const folder = fileURLToPath(new URL('.', module));
  const beside = dependencies.map((name) => join(folder, '..', '..', name, sep));
  return [folder, join(folder, '..', 'src', sep), ...beside];
}
