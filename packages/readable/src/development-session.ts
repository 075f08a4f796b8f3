/**
 * What `ambit dev` shares with tools in the process of an application, which ends with each change: why the last save does not start, and
 * what a tool has left for the next process. A tool may have its own copy of this package, so the session is a property of `globalThis`.
 */

/** Why the files that were saved last do not start. The version before them still serves. */
export interface SaveProblem {
  /** What is wrong, in one line. */
  readonly title: string;
  /** The text that the terminal shows, without colors: the lines of the program and the stack. */
  readonly text: string;
}

/** The session of one process. */
export class DevelopmentSession {
  /** The error of the last save, until it is mended. */
  problem: SaveProblem | undefined = undefined;
  /** What tools of the process before have left, by tool. It arrives when that process has ended, which is after this one has started. */
  found: Readonly<Record<string, string>> = {};
  /** What tools of this process leave for the next one, by tool: at most some megabytes. */
  readonly left: Record<string, string> = {};
  readonly #listeners = new Set<() => void>();

  /** @param listener Called when `problem` or `found` has changed. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** @param change What has changed. The listeners are called. */
  update(change: Pick<DevelopmentSession, 'problem'> | Pick<DevelopmentSession, 'found'>): void {
    Object.assign(this, change);
    for (const listener of this.#listeners) listener();
  }
}

const key = Symbol.for('ambit.development');

/** The session of this process; `undefined` if `ambit dev` has not started it. */
export function developmentSession(): DevelopmentSession | undefined {
  return (globalThis as { [key]?: DevelopmentSession })[key];
}

/** Starts the session of this process. */
export function startDevelopmentSession(): DevelopmentSession {
  const session = new DevelopmentSession();
  Object.assign(globalThis, { [key]: session });
  return session;
}
