/** Gets the application from the default export of a module, and says what is wrong with the export. */
import type { Context } from 'ambit';
import { CommandError } from '../command-error.ts';
import { failureOf } from './application-failure.ts';

/** CommonJS counts too: `module.exports`, or what a compiler makes of a default export. */
export function defaultExport(module: Record<string, unknown>, shown: string): unknown {
  const { default: exported } = module;
  const isCompiled = (exported as { __esModule?: unknown } | undefined)?.__esModule === true;
  const found = isCompiled ? (exported as { default?: unknown }).default : exported;
  if (found !== undefined) return found;
  const names = Object.keys(module).filter(
    (name) => !['default', 'module.exports', '__esModule'].includes(name),
  );
  const candidate = names.find((name) => isApplication(module[name]) || /app/i.test(name));
  throw new CommandError({
    file: shown,
    problem: 'the module has no default export',
    remedy:
      candidate === undefined
        ? 'Export the application: `export default app`.'
        : `Export it as the default: \`export default ${candidate}\`.`,
  });
}

/** In an object: an application has a method `then`, which boots it. */
export async function callExport(make: () => unknown, shown: string): Promise<{ made: unknown }> {
  try {
    const made = make();
    return { made: isApplication(made) ? made : await made };
  } catch (cause) {
    if (make.length > 0) throw pluginError(shown, cause);
    throw failureOf(cause, shown, 'the default export fails');
  }
}

function pluginError(shown: string, cause?: unknown): CommandError {
  return new CommandError({
    file: shown,
    problem: 'the default export is a function with parameters, and makes no application without arguments',
    remedy: 'If it is a plugin, register it: `export default ambit().register(plugin)`.',
    cause,
  });
}

/** @throws {CommandError} if the value is no application. */
export function checkApplication(made: unknown, shown: string): Context {
  if (isApplication(made)) {
    const { fastify } = ((made as { initialConfig?: object; version?: string }) ?? {}) as {
      fastify?: unknown;
    };
    if (fastify === undefined) return made;
  }
  throw new CommandError({
    file: shown,
    problem: `the default export gives ${describe(made)}, not an application`,
    remedy: 'Export what `ambit()` returns, or a function that returns it.',
  });
}

const methods = ['ready', 'inject', 'listen', 'close', 'addHook', 'register'];

function isApplication(value: unknown): value is Context {
  const object = Object(value) as Record<string, unknown>;
  return methods.every((name) => typeof object[name] === 'function');
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'function') return `the function ${value.name || 'without a name'}`;
  if (typeof value !== 'object') return `a ${typeof value}`;
  const keys = Object.keys(value);
  return keys.length > 0 ? `an object with ${keys.slice(0, 3).join(', ')}` : 'an empty object';
}
