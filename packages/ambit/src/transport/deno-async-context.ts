/**
 * On Deno, keeps the stores that a request enters (`AsyncLocalStorage.enterWith`) from later requests. `Deno.serve` calls its handler in
 * the async context that the calls before have left, and does not restore it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServeRequest } from './serve-request.ts';

/** Calls `serve` in a microtask, after which Deno restores the context. */
export function serveInMicrotask(serve: ServeRequest): ServeRequest {
  const started = Promise.resolve();
  return (request, context) => started.then(() => serve(request, context));
}

/** What a function has entered that `serveAtOnce` calls; `undefined` while it calls none. */
let entered: Set<AsyncLocalStorage<unknown>> | undefined;

type RunIn = ReturnType<typeof AsyncLocalStorage.snapshot>;

/** Runs a function in the async context of the first request, which no other request has changed. */
let runUnchanged: RunIn | undefined;

/**
 * Calls `serve` without a microtask, which takes 4 % of a small request (benchmark `get` on Deno), and then restores the context. This
 * needs a method of `AsyncLocalStorage` to be replaced, so code that has taken the method before can leave a store. Only for handlers that
 * cannot see their request: what they leave is of no client.
 */
export function serveAtOnce(serve: ServeRequest): ServeRequest {
  watchEnterWith();
  // HOT: once per request of a direct route on Deno.
  return (request, context) => {
    runUnchanged ??= AsyncLocalStorage.snapshot();
    entered = noStorages;
    try {
      return serve(request, context);
    } finally {
      const storages = entered;
      entered = undefined;
      if (storages !== noStorages) leaveStores(storages, runUnchanged);
    }
  };
}

/** Shared, because most requests enter no store. Never changed. */
const noStorages = new Set<AsyncLocalStorage<unknown>>();

/** Gives each storage the store again that it had before the first request. */
function leaveStores(storages: Set<AsyncLocalStorage<unknown>>, runUnchanged: RunIn): void {
  for (const storage of storages) storage.enterWith(runUnchanged(() => storage.getStore()));
}

let isWatching = false;

/** Replaces the method, because Deno offers no way to read or to restore the context. Nothing else changes it and leaves it so. */
function watchEnterWith(): void {
  if (isWatching) return;
  isWatching = true;
  const { enterWith } = AsyncLocalStorage.prototype;
  AsyncLocalStorage.prototype.enterWith = function (store) {
    enterWith.call(this, store);
    if (entered === undefined) return;
    if (entered === noStorages) entered = new Set();
    entered.add(this);
  };
}
