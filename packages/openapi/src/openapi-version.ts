/** Lists the supported versions of OpenAPI. */
import type { DocumentOptions } from './options.ts';

/** A version of OpenAPI in which documents can be written. */
export type OpenAPIVersion = '3.0' | '3.1' | '3.2';

export const versions: Readonly<Record<string, { version: OpenAPIVersion; text: string }>> = {
  '3.0': { version: '3.0', text: '3.0.3' },
  '3.0.3': { version: '3.0', text: '3.0.3' },
  '3.1': { version: '3.1', text: '3.1.0' },
  '3.1.0': { version: '3.1', text: '3.1.0' },
  '3.2': { version: '3.2', text: '3.2.0' },
  '3.2.0': { version: '3.2', text: '3.2.0' },
};

export function versionOf({ openapi = '3.1' }: DocumentOptions): { version: OpenAPIVersion; text: string } {
  return versions[openapi]!;
}
