/** Replaces ajv-instances.ts and engine-packages.ts in the build for workers: no code may be generated there. */
import { createRequire } from 'node:module';
import { CodeGenerationForbidden } from '../types/errors.ts';

const require = createRequire(import.meta.url);

/** Workers get all validators from the artifact, and boot fails for a schema that is not in it. */
export class AjvInstances {
  compile(): never {
    throw new CodeGenerationForbidden('a schema');
  }
}

/** Defined by the build. */
declare const packageVersions: Readonly<Record<string, string>>;

/** The few modules that compiled functions load. */
const modules: Readonly<Record<string, () => unknown>> = {
  'ajv/dist/runtime/equal': () => require('ajv/dist/runtime/equal'),
  'ajv/dist/runtime/timestamp': () => require('ajv/dist/runtime/timestamp'),
  'ajv/dist/runtime/ucs2length': () => require('ajv/dist/runtime/ucs2length'),
  '@ambit/json-serializer/runtime': () => require('@ambit/json-serializer/runtime'),
  'ajv-formats/dist/formats': () => require('ajv-formats/dist/formats'),
};

export const requirePackage = (name: string): unknown => modules[name]!();

export function versionOf(name: string): string {
  return packageVersions[name]!;
}
