/** Writes serializers as code that stands alone. */
import { compileToSource } from '@ambit/json-serializer';
import type { SharedSchemas } from '../contract/compiler.ts';

/** @returns The expression for the program of a schema that is given as text. */
export function writeSerializer(content: string, shared: SharedSchemas): string {
  return compileToSource(JSON.parse(content), { refs: shared });
}
