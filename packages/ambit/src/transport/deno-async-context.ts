/**
 * On Deno, keeps the stores that a request enters (`AsyncLocalStorage.enterWith`) from later requests. `Deno.serve` calls its handler in
 * the async context that the calls before have left, and does not restore it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServeRequest } from './web-server.ts';

const { enterWith, getStore } = AsyncLocalStorage.prototype;

/** Whether a request is being handled. Code that runs later, after an `await` for example, has a context of its own. */
let isServing = false;

/** What the request that is being handled has entered. */
const entered = new Set<AsyncLocalStorage<unknown>>();

/** Runs a function in the async context of the first request, which no other request has changed. */
let runUnchanged: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;

/** @returns A function that calls `serve` for each request, and then restores the async context. */
export function isolateStores(serve: ServeRequest): ServeRequest {
  watchEnterWith();
  // HOT: once per request on Deno. To call `serve` in a snapshot would take 0.35 µs, and in a microtask as long (benchmark `get`).
  return (request, context) => {
    runUnchanged ??= AsyncLocalStorage.snapshot();
    isServing = true;
    try {
      return serve(request, context);
    } finally {
      isServing = false;
      if (entered.size > 0) leaveStores(runUnchanged);
    }
  };
}

/** Gives each storage the store again that it had before the first request. */
function leaveStores(runUnchanged: ReturnType<typeof AsyncLocalStorage.snapshot>): void {
  for (const storage of entered) enterWith.call(storage, runUnchanged(() => getStore.call(storage)));
  entered.clear();
}

let isWatching = false;

/** Replaces the method, because Deno offers no way to read or to restore the context. Nothing else changes it and leaves it so. */
function watchEnterWith(): void {
  if (isWatching) return;
  isWatching = true;
  AsyncLocalStorage.prototype.enterWith = function (store) {
    if (isServing) entered.add(this);
    enterWith.call(this, store);
  };
}
