/** Owns the writing of values that have no schema. */
import { lazyModule } from '../../shared/lazy-module.ts';
import { require } from '../../shared/require.ts';

const loadRuntime = lazyModule<typeof import('@ambit/json-serializer/runtime')>(() =>
  require('@ambit/json-serializer/runtime'),
);

/**
 * As `JSON.stringify` writes them.
 *
 * @throws {SerializationError} with the path of what cannot be written.
 */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw loadRuntime().locateNativeError(value, error);
  }
}
