/** Writes values that have no schema. A file of its own, because every reply needs it, and schemas are loaded late. */
import { createRequire } from 'node:module';
import { lazyModule } from '../shared/lazy-module.ts';

const require = createRequire(import.meta.url);

const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

/**
 * Writes a value as `JSON.stringify` does.
 *
 * @throws {SerializationError} with the path of the value that cannot be written.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw loadRuntime().locateNativeError(value, error);
  }
}
