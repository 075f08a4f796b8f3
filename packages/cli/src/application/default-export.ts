/** Gets the application from the default export of a module, and says what is wrong with the export. */
import type { Context } from 'ambit';
import { CommandError } from '../command-error.ts';
import { toCommandError } from './application-failure.ts';

/** The default export. For CommonJS, this is `module.exports`, or the property that a compiler writes for a default export. */
export function defaultExport(module: Record<string, unknown>, displayPath: string): unknown {
  const { default: exported } = module;
  const isCompiled = (exported as { __esModule?: unknown } | undefined)?.__esModule === true;
  const exportedValue = isCompiled ? (exported as { default?: unknown }).default : exported;
  if (exportedValue !== undefined) return exportedValue;
  const names = Object.keys(module).filter(
    (name) => !['default', 'module.exports', '__esModule'].includes(name),
  );
  const candidate = names.find((name) => isApplication(module[name]) || /app/i.test(name));
  throw new CommandError({
    file: displayPath,
    problem: 'the module has no default export',
    remedy:
      candidate === undefined
        ? 'Export the application: `export default app`.'
        : `Export it as the default: \`export default ${candidate}\`.`,
  });
}

/** Calls an exported function. Returns an object, because an application has a method `then`, and `await` would boot it. */
export async function callExport(create: () => unknown, displayPath: string): Promise<{ app: unknown }> {
  try {
    const created = create();
    return { app: isApplication(created) ? created : await created };
  } catch (cause) {
    if (create.length > 0) throw pluginError(displayPath, cause);
    throw toCommandError(cause, displayPath, 'the default export fails');
  }
}

function pluginError(displayPath: string, cause?: unknown): CommandError {
  return new CommandError({
    file: displayPath,
    problem: 'the default export is a function with parameters, and makes no application without arguments',
    remedy: 'If it is a plugin, register it: `export default ambit().register(plugin)`.',
    cause,
  });
}

/** @throws {CommandError} if the value is not an application. */
export function checkApplication(value: unknown, displayPath: string): Context {
  if (isApplication(value)) {
    const { fastify } = ((value as { initialConfig?: object; version?: string }) ?? {}) as {
      fastify?: unknown;
    };
    if (fastify === undefined) return value;
  }
  throw new CommandError({
    file: displayPath,
    problem: `the default export gives ${describe(value)}, not an application`,
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
