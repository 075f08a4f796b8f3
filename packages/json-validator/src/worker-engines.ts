/** Replaces ajv-compiler.ts and engine-packages.ts in a build for workers: no code may be generated there. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Workers link all validators. */
export class AjvCompiler {
  compile(): never {
    throw new Error('code must not be generated from strings here');
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

export const engineVersions = (): Readonly<Record<string, string>> => packageVersions;
