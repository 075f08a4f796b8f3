/** Which files are the framework's own: their frames in a stack say nothing about the application. */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ownFolders: string[] = [];
addOwnFolder(/^.*\/(?:src|dist)\//.exec(import.meta.url)?.[0] ?? import.meta.url);

/**
 * Adds the folder of a module of ours, such as a facade's, and the folder of sources that node may map the frames of a build to.
 *
 * @param module The URL of the module.
 */
export function addOwnFolder(module: string): void {
  const folder = fileURLToPath(new URL('.', module));
  if (ownFolders.includes(folder)) return;
  ownFolders.push(folder, join(folder, '..', 'src', sep));
}

/** @param place A path, with or without line and column. */
export function isOwnFile(place: string): boolean {
  return ownFolders.some((folder) => place.startsWith(folder));
}
