/** Declares the messages between the main process and its workers. */
import type { DevelopmentSession, SaveProblem } from '@ambit/readable';
import type { ListenPlace } from './listen-options.ts';

/** The task of a worker, which is the argument of its process. */
export interface WorkerTask {
  /** The argument `[app]` of the command. */
  readonly appArgument: string | undefined;
  readonly place: ListenPlace;
  /** How long running requests get when it stops. */
  readonly graceMs: number;
  /** Whether to serve the inspector, and to log requests if the application has no logger. */
  readonly isDevelopment: boolean;
}

export type FromWorker =
  | {
      readonly ambit: 'ready';
      readonly address: string;
      readonly bootMs: number;
      /** The host that it listens on. */
      readonly host: string;
      /** The paths of the inspector and of the page of the documentation. */
      readonly paths: { readonly inspector: string | undefined; readonly docs: string | undefined };
    }
  /** The module was imported, and the command waits until it listens. */
  | { readonly ambit: 'waiting' }
  /** The worker no longer accepts connections, and waits for `release` before it ends. */
  | { readonly ambit: 'closed' }
  /** With what tools have left for the next worker. */
  | { readonly ambit: 'ended'; readonly left: DevelopmentSession['left'] }
  | {
      readonly ambit: 'failed';
      readonly text: string;
      readonly stack: string;
      /** The text for people, with the lines of the program that the error is about, if it is one of boot. */
      readonly report?: string | undefined;
      /** The URL of the module that does not exist, if this is the reason. */
      readonly missing?: string | undefined;
    }
  | ({ readonly ambit: 'status' } & WorkerStatus);

export interface WorkerStatus {
  /** The resident memory of the process. */
  readonly rssBytes: number;
  /** The delay of timers, which shows how busy the event loop is. */
  readonly delayMs: number;
  /** Open connections. */
  readonly connections: number;
}

/** How an application stops. */
export interface StopOptions {
  /** The longest time for running requests. Requests that still run then are cut off. */
  readonly graceMs: number;
  /** How long everything is still served before stopping begins, so that load balancers notice. Default 0. */
  readonly delayMs?: number;
  /** In development: how long idle connections are kept. Otherwise `close` decides. */
  readonly idleMs?: number;
}

/** The time after which the process ends, even if something still runs. */
export function longestStopMs({ graceMs, delayMs = 0 }: StopOptions): number {
  return delayMs + graceMs + hooksGraceMs;
}

export interface StopMessage extends StopOptions {
  readonly ambit: 'stop';
}

/**
 * Says that no more connections will reach the worker. Messages keep their order, and this one follows the last connection.
 * A worker that ended earlier would lose connections that were already sent to it.
 */
export interface ReleaseMessage {
  readonly ambit: 'release';
}

/** In development: what tools in the worker get to know. */
export interface SessionMessage {
  readonly ambit: 'session';
  readonly change: { readonly problem: SaveProblem } | { readonly found: DevelopmentSession['found'] };
}

/** It is short, because a browser with an open connection must not get the old version. */
export const developmentIdleMs = 50;

/** The longest time for the application's `onClose` hooks, after everything else has ended. */
const hooksGraceMs = 5_000;

/** How often a worker sends its status. */
export const statusEveryMs = 1_000;
