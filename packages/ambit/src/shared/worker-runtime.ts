/** Replaces js-runtime.ts, readable.ts, development.ts and mistakes.ts in the build for workers. Bundlers remove the code for other runtimes. */

/** A worker has no server of its own. */
export const bun = undefined;
export const deno = undefined;
export const isNode = false;

/** Workers forbid code generation in requests, and boot ends in the first request. */
export function mayGenerateCode(): boolean {
  return false;
}

/** Workers do not print warnings of the process. */
export function emitWarning(
  message: string,
  { type, code, detail }: { readonly type: string; readonly code: string; readonly detail?: string },
): void {
  console.warn(`[${code}] ${type}: ${message}${detail === undefined ? '' : `\n${detail}`}`);
}

/** With a compatibility date before 2026-02-10, a timer is a number. */
export function unrefTimer(timer: NodeJS.Timeout): NodeJS.Timeout {
  timer.unref?.();
  return timer;
}

export { readableLog } from '@ambit/readable';

/** Workers have no files that a report could show. */
export function showReport(): void {}

export function describeError<T extends object>(error: T): T {
  return error;
}

/** Clients of a worker are on other machines. */
export function nearestRoutes(): undefined {}
export function errorPage(): undefined {}
export function undefinedMember(): undefined {}
export function recordedPlan<T>(plan: T): T {
  return plan;
}

/** A worker does not know its own lines. */
export function addHint(): void {}
export function warnDropped(): void {}
export function checkHookStyle(): void {}

export function reportError(error: unknown): { title: string } {
  return { title: String(error) };
}
