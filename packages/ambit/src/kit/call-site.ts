/** Remembers which code called the framework, for errors raised at boot: cheap to take, read only when needed. */
import { fileURLToPath } from 'node:url';

/** Folders whose frames are the framework's, not the caller's. */
const ownFolders: string[] = [fileURLToPath(new URL('..', import.meta.url))];

/** Leaves the frames of a facade out, too. */
export function leaveOutFolder(module: string): void {
  const folder = fileURLToPath(new URL('.', module));
  if (!ownFolders.includes(folder)) ownFolders.push(folder);
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
      const isOurs =
        ownFolders.some((folder) => file.startsWith(folder)) && !/\.test\.[cm]?[jt]s:/.test(file);
      if (!isOurs && !file.includes('/node_modules/avvio/')) return file;
    }
    return undefined;
  }
}
