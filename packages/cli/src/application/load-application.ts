/** Loads an application: finds its module, imports it without letting it listen, and checks what it exports. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import type { Context } from 'ambit';
import { CommandError } from '../command.ts';
import {
  firstLines,
  locationInProgram,
  locationOfSyntaxError,
  toCommandError,
} from './application-failure.ts';
import { checkTypescript } from './check-typescript.ts';
import { findApplication, toDisplayPath } from './find-application.ts';
import { type Framework, findFramework } from './framework.ts';

export interface Application {
  readonly app: Context;
  /** The module, as an absolute path. */
  readonly file: string;
  /** The module, as the user would type it. */
  readonly displayPath: string;
  /** The copy of `ambit` that created the app. */
  readonly framework: Framework;
}

export interface LoadOptions {
  /** Called with each application that the module creates, before its first declaration. */
  readonly onCreated?: (app: Context) => void;
  /** Whether to record the source lines of declarations, because they will be shown. */
  readonly recordsDeclarationSites?: boolean;
}

/**
 * Imports the module of an application, and calls its default export if that is a function. It does not boot the application.
 *
 * @param appArgument The argument `[app]` of the command.
 * @throws {CommandError}
 */
export async function loadApplication(
  appArgument: string | undefined,
  { onCreated = () => {}, recordsDeclarationSites = false }: LoadOptions = {},
): Promise<Application> {
  const file = findApplication(appArgument);
  const displayPath = toDisplayPath(file);
  checkTypescript(file, displayPath);
  hideExpectedWarnings();
  const onCreatedHere = (app: Context): void => {
    if (recordsDeclarationSites) recordDeclarationSites(app, file, displayPath);
    onCreated(app);
  };
  // The result is an object, because an application has a method `then`, and `await` would boot it.
  const { app: exported } = await withoutListening(displayPath, onCreatedHere, async () => {
    const defaultValue = defaultExport(await importModule(file, displayPath), displayPath);
    if (typeof defaultValue !== 'function') return { app: defaultValue };
    return callExport(defaultValue as () => unknown, displayPath);
  });
  const app = checkApplication(exported, displayPath);
  return { app, file, displayPath, framework: findFramework(app, file, displayPath) };
}

/**
 * Loads an application without its logs, for commands that print something else, and boots it.
 *
 * @throws {CommandError}
 */
export async function bootApplication(
  appArgument: string | undefined,
  options: Pick<LoadOptions, 'recordsDeclarationSites'> = {},
): Promise<Application> {
  const loaded = await loadApplication(appArgument, { ...options, onCreated: silenceLog });
  await boot(loaded);
  return loaded;
}

/** @throws {CommandError} if the application does not boot. */
export async function boot({ app, displayPath }: Pick<Application, 'app' | 'displayPath'>): Promise<void> {
  try {
    await app.ready();
  } catch (cause) {
    throw toCommandError(cause, displayPath, 'the application does not boot');
  }
}

/** Errors are ignored, because `loadApplication` reports it later if the copy of `ambit` cannot be found. */
function recordDeclarationSites(app: Context, file: string, displayPath: string): void {
  try {
    findFramework(app, file, displayPath).recordDeclarationSites();
  } catch {}
}

/** Turns off the log. Loggers other than pino may have no level, and Fastify itself has no logger yet. */
function silenceLog(app: Context): void {
  const log = app.log as { level?: string } | undefined;
  if (log?.level !== undefined) log.level = 'silent';
}

/** @throws {CommandError} */
async function importModule(file: string, displayPath: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(file);
  try {
    return await import(href);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code, message = String(cause) } = Object(cause) as NodeJS.ErrnoException;
    const remedy = remedyOf(code, message);
    const location =
      cause instanceof SyntaxError ? locationOfSyntaxError(cause, href) : locationInProgram(cause);
    if (remedy === undefined)
      throw toCommandError(cause, displayPath, 'the module cannot be imported', location);
    throw new CommandError({
      file: location ?? displayPath,
      problem: `the module cannot be imported: ${firstLines(message)}`,
      remedy,
      cause,
    });
  }
}

function remedyOf(code: string | undefined, message: string): string | undefined {
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND')
    return 'Check the path, which needs its file extension, or install the package.';
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX')
    return 'Node only removes types: set `erasableSyntaxOnly` in tsconfig.json, and write no enums, namespaces or parameter properties.';
  if (/(require|module|exports) is not defined in ES module scope/.test(message))
    return 'Write it as an ES module (`import`, `export default`), or name it .cjs.';
  if (/Cannot use import statement outside a module|Unexpected token 'export'/.test(message))
    return 'Set "type": "module" in package.json, or name it .mjs.';
  return undefined;
}

/** The default export. For CommonJS, this is `module.exports`, or the property that a compiler writes for a default export. */
function defaultExport(module: Record<string, unknown>, displayPath: string): unknown {
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
async function callExport(create: () => unknown, displayPath: string): Promise<{ app: unknown }> {
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
function checkApplication(value: unknown, displayPath: string): Context {
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

/** Published for each application, by `ambit`, by the facade and by Fastify itself. */
const initialization = 'fastify.initialization';

/**
 * Runs a function in which no application may listen.
 *
 * @param onCreated Called with each application, before its first declaration.
 * @throws {CommandError} if an application has called `listen`, even if it handled the error.
 */
async function withoutListening<Result>(
  displayPath: string,
  onCreated: (app: Context) => void,
  load: () => Promise<Result>,
): Promise<Result> {
  const calls: CommandError[] = [];
  const restored: (() => void)[] = [];
  const refuse = (message: unknown): void => {
    const app = (message as { fastify: Context }).fastify;
    onCreated(app);
    restored.push(replaceListen(app, (location) => calls.push(listenError(location ?? displayPath))));
  };
  // An application may end the process if it cannot listen. Then this message is printed last.
  const onExit = (): void => {
    if (calls.length > 0) console.error(`ambit: ${calls[0]!.message}`);
  };
  subscribe(initialization, refuse);
  process.once('exit', onExit);
  try {
    const result = await load();
    if (calls.length > 0) throw calls[0];
    return result;
  } catch (error) {
    throw calls[0] ?? error;
  } finally {
    unsubscribe(initialization, refuse);
    process.off('exit', onExit);
    for (const restore of restored) restore();
  }
}

function listenError(location: string): CommandError {
  return new CommandError({
    file: location,
    problem: 'the module calls `listen` while it is imported',
    remedy:
      'Remove the call: `ambit dev` and `ambit start` listen. Or call it only if the file is the main module.',
  });
}

/** @returns A function that restores the method. */
function replaceListen(app: Context, onCall: (location: string | undefined) => void): () => void {
  const before = Object.getOwnPropertyDescriptor(app, 'listen');
  const listen = (...args: unknown[]): unknown => {
    onCall(locationInProgram(new Error('listen')));
    const error = new Error('the application must not listen while the ambit command loads it');
    const callback = args.at(-1);
    if (typeof callback === 'function') return callback(error, '');
    const refused = Promise.reject(error);
    // The application may not await it.
    refused.catch(() => {});
    return refused;
  };
  Object.defineProperty(app, 'listen', { value: listen, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(app, 'listen');
    else Object.defineProperty(app, 'listen', before);
  };
}

const expected = /^(Type Stripping|SQLite) is an experimental feature/;

/** Hides these warnings in this process from now on. */
function hideExpectedWarnings(): void {
  const emitWarning = process.emitWarning as (...args: unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning' && expected.test(String(warning))) return;
    emitWarning.call(process, warning, ...rest);
  };
}
