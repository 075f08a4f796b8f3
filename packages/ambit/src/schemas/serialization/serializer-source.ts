/** Writes serializers as code that stands alone. */
import type { SharedSchemas } from '../../contract/compiler.ts';
import { lazyModule } from '../../shared/lazy-module.ts';
import { require } from '../../shared/require.ts';

const loadEngine = lazyModule<typeof import('@ambit/json-serializer')>(() =>
  require('@ambit/json-serializer'),
);

/** @returns The expression for the program of a schema that is given as text. */
export function writeSerializer(content: string, shared: SharedSchemas): string {
  return loadEngine().compileToSource(JSON.parse(content), { refs: shared });
}
