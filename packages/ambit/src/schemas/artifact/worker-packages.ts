/** Replaces packages.ts in the build for workers, which contains the few modules that compiled functions load. */
import { require } from '../../shared/lazy-module.ts';

/** Defined by the build. */
declare const packageVersions: Readonly<Record<string, string>>;

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
