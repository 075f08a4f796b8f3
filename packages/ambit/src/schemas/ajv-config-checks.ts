/** Decides from the application's options for Ajv whether schemas can be compiled later, and whether an artifact can contain them. */
import { contentKey } from '@ambit/json-schema';
import type { AjvOptions } from '../types/compilers.ts';

/** The application's options, and those that the framework adds. */
export interface EngineOptions extends AjvOptions {
  /** Set if schemas may have the keyword for files. */
  readonly acceptsFiles?: true;
  /** Set if all values are text without types: branches are tried with conversion first. */
  readonly isText?: true;
  /** Set if Ajv rejects the words of OpenAPI, as in Fastify. */
  readonly rejectsOpenApi?: true;
}

/** Options that change the compiled validator, but neither which schemas Ajv rejects nor what it warns about. */
const harmlessOptions: ReadonlySet<string> = new Set([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
  'verbose',
  'messages',
  'ownProperties',
]);

/** Whether Ajv with these options rejects the same schemas as Ajv with the baseline options. */
export function isStandardConfig(options: EngineOptions): boolean {
  const { mode, plugins = [], onCreate, customOptions = {}, acceptsFiles } = options;
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined || acceptsFiles) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

/** Whether text can express these options completely. Only then can an artifact contain what is compiled with them. */
export function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
}
