/**
 * Records which code called the framework, for errors of boot and for tools. Recording is cheap; the stack becomes text only if it is read.
 */
import { isOwnFile } from './own-files.ts';

export class CallSite {
  declare readonly stack?: string;

  /** @param frameLimit How many frames to keep: those of this package, and one frame of the caller. Each frame costs time and memory. */
  constructor(frameLimit = 12) {
    const limit = Error.stackTraceLimit;
    // An assignment would throw if the application has frozen `Error`.
    Reflect.set(Error, 'stackTraceLimit', frameLimit);
    // Frames are collected now, and become text when `stack` is first read.
    Error.captureStackTrace(this, CallSite);
    Reflect.set(Error, 'stackTraceLimit', limit);
  }

  /** `file:line:column` of the innermost caller outside this package, or `undefined` if the stack does not contain one. */
  get location(): string | undefined {
    for (const line of (this.stack ?? '').split('\n').slice(1)) {
      const location = /\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*:\d+:\d+)\)?$/.exec(line)?.[1];
      if (location === undefined) continue;
      const file = location.startsWith('file://') ? location.slice('file://'.length) : location;
      if (!isOwnFile(file)) return file;
    }
    return undefined;
  }
}
