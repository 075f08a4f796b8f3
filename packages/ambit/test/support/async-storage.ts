/** An `AsyncLocalStorage` for one test. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { onTestFinished } from 'vitest';

/** Before Node 24, a storage that was entered slows every promise of the process, also in later test files, until it is disabled. */
export function makeStorage<Store>(): AsyncLocalStorage<Store> {
  const storage = new AsyncLocalStorage<Store>();
  onTestFinished(() => storage.disable());
  return storage;
}
