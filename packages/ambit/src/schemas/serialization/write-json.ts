/** Writes values that have no schema. */
import { lazyModule, require } from '../../shared/lazy-module.ts';

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
