/** Which runtime is this, and what can it do? Bun and Deno have servers of their own for web requests. */
import { attempt } from './thrown-values.ts';

/** The part of the server of `Bun.serve` that we use (https://bun.com/docs/api/http). */
export interface BunServer {
  readonly address?: { readonly address: string; readonly family: string; readonly port: number };
  readonly pendingRequests: number;
  /** @param isAbrupt Whether connections with running requests are closed, too. */
  stop(isAbrupt: boolean): Promise<void>;
  /** @param seconds How long the connection of a request may be silent; 0 is no limit. */
  timeout(request: Request, seconds: number): void;
}

/** The part of Bun that we use. */
export interface BunRuntime {
  /** The value of a promise that is settled (https://bun.com/docs/api/utils#bun-peek). */
  readonly peek: ((promise: unknown) => unknown) & {
    status(promise: unknown): 'pending' | 'fulfilled' | 'rejected';
  };
  serve(options: Record<string, unknown>): BunServer;
}

/** The server of `Deno.serve` (https://docs.deno.com/api/deno/~/Deno.serve). */
export interface DenoServer {
  readonly addr: { readonly hostname: string; readonly port: number };
  shutdown(): Promise<void>;
}

/** The part of Deno that we use. */
export interface DenoRuntime {
  /** Only there with the flag `--unstable-net`. */
  readonly listenDatagram?: unknown;
  serve(options: Record<string, unknown>, handler: (request: Request, info: unknown) => unknown): DenoServer;
}

const { Bun, Deno } = globalThis as { Bun?: BunRuntime; Deno?: DenoRuntime };

/** `undefined` on other runtimes. */
export const bun: BunRuntime | undefined = typeof Bun?.serve === 'function' ? Bun : undefined;
/** `undefined` on other runtimes. */
export const deno: DenoRuntime | undefined = typeof Deno?.serve === 'function' ? Deno : undefined;
/** Whether the runtime is neither Bun nor Deno. */
export const isNode: boolean = bun === undefined && deno === undefined;

let isAllowed: boolean | undefined;

/** Whether code may be generated from strings; `node --disallow-code-generation-from-strings` forbids it. */
export function mayGenerateCode(): boolean {
  isAllowed ??= attempt(() => new Function('')) !== undefined;
  return isAllowed;
}

/** Emits a warning on the process, which prints it, and `detail` below the message. */
export function emitWarning(
  message: string,
  details: { readonly type: string; readonly code: string; readonly detail?: string },
): void {
  process.emitWarning(message, details);
}

/** Lets the process end before a timer does. Some runtimes have numbers for timers. */
export function unrefTimer(timer: NodeJS.Timeout): NodeJS.Timeout {
  timer.unref?.();
  return timer;
}
