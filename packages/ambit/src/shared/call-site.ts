/** Remembers which code called the framework, for errors raised at boot: cheap to take, read only when needed. */
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders whose frames are the framework's, not the caller's. */
const ownFolders: string[] = [];
leaveOutFolder(/^.*\/(?:src|dist)\//.exec(import.meta.url)?.[0] ?? import.meta.url);

/** Leaves out the frames of a facade, too: of its module's folder, and of the sources that node may map a build's frames to. */
export function leaveOutFolder(module: string): void {
  const folder = fileURLToPath(new URL('.', module));
  if (ownFolders.includes(folder)) return;
  ownFolders.push(folder, join(folder, '..', 'src', sep));
}

export class CallSite {
  declare readonly stack?: string;

  constructor() {
    // Frames are collected now and turned into text by the first access of `stack`.
    Error.captureStackTrace(this, CallSite);
  }

  /** `file:line:column` of the innermost caller outside this package, or `undefined` when the stack does not say. */
  get place(): string | undefined {
    for (const line of (this.stack ?? '').split('\n').slice(1)) {
      const place = /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*:\d+:\d+)\)?$/.exec(line)?.[1];
      if (place === undefined) continue;
      const file = place.startsWith('file://') ? place.slice('file://'.length) : place;
      const isOurs = ownFolders.some((folder) => file.startsWith(folder));
      const isTest = /\.test\.[cm]?[jt]s:/.test(file);
      if ((!isOurs || isTest) && !file.includes('/node_modules/avvio/')) return file;
    }
    return undefined;
  }
}
