/** What the main process and its workers tell each other. */

/** What a worker is to do, as the argument of its process. */
export interface WorkerTask {
  /** The module of the application, as the user named it. */
  readonly named: string | undefined;
  readonly port: number;
  readonly host: string;
  /** Longest time for stopping, when a signal comes to the worker itself. */
  readonly graceMs: number;
  /** Serves what a developer wants to see, and prints requests that no logger logs. */
  readonly isDevelopment: boolean;
}

export type FromWorker =
  | { readonly ambit: 'ready'; readonly address: string; readonly bootMs: number; readonly mounted?: string }
  /** It accepts no more connections, and waits for `release` before it ends. */
  | { readonly ambit: 'closed' }
  | { readonly ambit: 'ended' }
  | {
      readonly ambit: 'failed';
      readonly text: string;
      readonly stack: string;
      /** The URL of the module that does not exist, if this is the reason. */
      readonly missing?: string;
    }
  | ({ readonly ambit: 'status' } & WorkerStatus);

export interface WorkerStatus {
  /** Memory that the process has in RAM. */
  readonly rssBytes: number;
  /** How late timers are: what the event loop is busy with. */
  readonly delayMs: number;
  /** Open connections. */
  readonly connections: number;
}

/** How an application stops. */
export interface StopOptions {
  /** Longest time for what is running. What is left then is cut off. */
  readonly graceMs: number;
  /** How long everything is still served before, so that load balancers notice. Default 0. */
  readonly delayMs?: number;
  /** In development: how long connections that carry no request are kept. Otherwise `close` decides. */
  readonly idleMs?: number;
}

/** When the process ends, whatever has not. */
export function longestStopMs({ graceMs, delayMs = 0 }: StopOptions): number {
  return delayMs + graceMs + hooksMs;
}

export interface StopMessage extends StopOptions {
  readonly ambit: 'stop';
}

/**
 * No connection is on its way to the worker any more: messages keep their order, and this one follows the last connection.
 * A worker that ended before would lose the connections that it has been sent meanwhile.
 */
export interface ReleaseMessage {
  readonly ambit: 'release';
}

/** Short: a browser that keeps its connection must not get the old version. */
export const developmentIdleMs = 50;

/** Longest time for the hooks that close what the application has opened, when everything else has ended. */
const hooksMs = 5_000;

/** How often a worker sends its status. */
export const statusEveryMs = 1_000;
