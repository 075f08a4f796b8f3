/** What the application's options for Ajv mean before there is an Ajv: when schemas can wait, and what an artifact can hold. */
import type { AjvOptions } from '../contract/compiler-options.ts';
import { contentKey } from './schema-content.ts';

/** The application's options, and what the engine of forms adds to them. */
export interface EngineOptions extends AjvOptions {
  /** Schemas may have the keyword for files. */
  readonly acceptsFiles?: true;
}

/** Options that change the compiled validator, but neither which schemas Ajv refuses nor what it warns about. */
const harmlessOptions: ReadonlySet<string> = new Set([
  'coerceTypes',
  'useDefaults',
  'removeAdditional',
  'allErrors',
  'verbose',
  'messages',
  'ownProperties',
]);

/** Whether Ajv with these options refuses the same schemas as Ajv with the baseline. */
export function isStandardConfig(options: EngineOptions): boolean {
  const { mode, plugins = [], onCreate, customOptions = {}, acceptsFiles } = options;
  if (mode !== undefined || plugins.length > 0 || onCreate !== undefined || acceptsFiles) return false;
  return Object.keys(customOptions).every((name) => harmlessOptions.has(name));
}

/** Whether text can tell these options completely: only then can an artifact hold what they lead to. */
export function isSerializable({ plugins = [], onCreate, customOptions = {} }: AjvOptions): boolean {
  if (plugins.length > 0 || onCreate !== undefined || customOptions.formats !== undefined) return false;
  return contentKey(customOptions) !== undefined;
}
