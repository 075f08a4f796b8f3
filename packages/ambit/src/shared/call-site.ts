/** Remembers which code called the framework, for errors raised at boot: cheap to take, read only when needed. */
import { isOwnFile } from './own-files.ts';

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
      if (!isOwnFile(file) && !file.includes('/node_modules/avvio/')) return file;
    }
    return undefined;
  }
}
