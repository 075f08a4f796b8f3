/** Which files are the framework's own: their frames in a stack say nothing about the application. */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** URLs of modules of other packages of ours. The folders are looked up when an error needs a place, not at import. */
const modules = new Set<string>();
let ownFolders: string[] | undefined;

/**
 * Adds the folder of a module of ours, such as a facade's, and the folder of sources that node may map the frames of a build to.
 *
 * @param module The URL of the module.
 */
export function addOwnFolder(module: string): void {
  modules.add(module);
  ownFolders = undefined;
}

/** @param place A path, with or without line and column. */
export function isOwnFile(place: string): boolean {
  ownFolders ??= [findRoot(import.meta.url), ...modules].flatMap(listFolders);
  return ownFolders.some((folder) => place.startsWith(folder));
}

function findRoot(module: string): string {
  return /^.*\/(?:src|dist)\//.exec(module)?.[0] ?? module;
}

function listFolders(module: string): string[] {
  const folder = fileURLToPath(new URL('.', module));
  return [folder, join(folder, '..', 'src', sep)];
}
