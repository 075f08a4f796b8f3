/** Remembers which code called the framework, for errors raised at boot and for tools: cheap to take, read only when needed. */
import { isOwnFile } from './own-files.ts';

export class CallSite {
  declare readonly stack?: string;

  /** @param frameLimit How many frames to keep: those of this package that lie between, and one more. Each costs time and memory. */
  constructor(frameLimit = 12) {
    const limit = Error.stackTraceLimit;
    // Not an assignment: it would throw where the application has frozen `Error`.
    Reflect.set(Error, 'stackTraceLimit', frameLimit);
    // Frames are collected now and turned into text by the first access of `stack`.
    Error.captureStackTrace(this, CallSite);
    Reflect.set(Error, 'stackTraceLimit', limit);
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
