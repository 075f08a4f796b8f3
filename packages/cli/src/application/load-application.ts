/** Loads an application: finds its module, imports it, takes over its call of `listen`, and checks what it exports. */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import type { Context, ListenOptions } from 'ambit';
import { CommandError } from '../command.ts';
import { withResolvers } from '../with-resolvers.ts';
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
  /** The options with which the module has called `listen`; none if it exports the app. */
  readonly listenOptions: ListenOptions;
  /** Listens, and answers the call of the module. */
  listen(options: ListenOptions): Promise<void>;
}

export interface LoadOptions {
  /** Called with each application that the module creates, before its first declaration. */
  readonly onCreated?: (app: Context) => void;
  /** Called if the module has neither an application as its default export nor called `listen` yet. */
  readonly onWaiting?: () => void;
  /** Whether to record the source lines of declarations, because they will be shown. */
  readonly recordsDeclarationSites?: boolean;
}

/**
 * Imports the module of an application, and calls its default export if that is a function. If the module calls `listen`, the application
 * is the one that listens. It does not boot the application.
 *
 * @param appArgument The argument `[app]` of the command.
 * @throws {CommandError}
 */
export async function loadApplication(
  appArgument: string | undefined,
  { onCreated = () => {}, onWaiting = () => {}, recordsDeclarationSites = false }: LoadOptions = {},
): Promise<Application> {
  const file = findApplication(appArgument);
  const displayPath = toDisplayPath(file);
  checkTypescript(file, displayPath);
  hideExpectedWarnings();
  const calls = new ListenCalls((app) => {
    if (recordsDeclarationSites) recordDeclarationSites(app, file, displayPath);
    onCreated(app);
  });
  try {
    const loading = importExport(file, displayPath);
    // The result is an object, because an application has a method `then`, and `await` would boot it.
    let exported: Exported = await Promise.race([calls.first, loading]);
    // The program goes on. As without the command, an error ends it.
    if (calls.app !== undefined) loading.catch((error) => setImmediate(() => raise(error)));
    else if (exported.error !== undefined) {
      onWaiting();
      exported = await untilListening(calls.first, exported.error);
    }
    const app = checkApplication(exported.app, displayPath);
    const framework = findFramework(app, file, displayPath);
    return { app, file, displayPath, framework, ...calls.choose(app) };
  } finally {
    calls.stop();
  }
}

function raise(error: unknown): never {
  throw error instanceof CommandError ? error.cause : error;
}

/** What a module exports as its default; without one, the error if the program ends without listening. */
interface Exported {
  readonly app?: unknown;
  readonly error?: CommandError;
}

async function importExport(file: string, displayPath: string): Promise<Exported> {
  const module = await importModule(file, displayPath);
  const exported = defaultExport(module);
  if (exported === undefined) return { error: noExport(module, displayPath) };
  return typeof exported === 'function'
    ? callExport(exported as () => unknown, displayPath)
    : { app: exported };
}

/** Rejects with the error when nothing more can happen in this process, so that the program will not listen any more. */
async function untilListening(first: ListenCalls['first'], error: CommandError): Promise<Exported> {
  // The channel to the main process would keep a worker running.
  process.channel?.unref();
  let onIdle: () => void = () => {};
  const idle = new Promise<never>((_resolve, reject) => {
    onIdle = () => reject(error);
    process.once('beforeExit', onIdle);
  });
  try {
    return await Promise.race([first, idle]);
  } finally {
    process.off('beforeExit', onIdle);
    process.channel?.ref();
  }
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
function defaultExport({ default: exported, ...module }: Record<string, unknown>): unknown {
  const isCompiled = (exported as { __esModule?: unknown } | undefined)?.__esModule === true;
  if (isCompiled) return (exported as { default?: unknown }).default;
  // `module.exports` of a program in CommonJS that exports nothing.
  const isEmpty = 'module.exports' in module && Object.keys(Object(exported)).length === 0;
  return isEmpty && !isApplication(exported) && typeof exported !== 'function' ? undefined : exported;
}

function noExport(module: Record<string, unknown>, displayPath: string): CommandError {
  const names = Object.keys(module).filter(
    (name) => !['default', 'module.exports', '__esModule'].includes(name),
  );
  const candidate = names.find((name) => isApplication(module[name]) || /app/i.test(name)) ?? 'app';
  return new CommandError({
    file: displayPath,
    problem: 'the module has no default export, and does not call `listen`',
    remedy: `Export the application as the default: \`export default ${candidate}\`.`,
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
  if (isApplication(value)) return value;
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

type Listen = (options: ListenOptions, callback?: (error: Error | null, address: string) => void) => unknown;

/** The calls of `listen` in a program: the first one says which application is meant, and is answered when the command listens. */
class ListenCalls {
  /** Resolves with the application that listens first. */
  readonly first: Promise<{ readonly app: unknown }>;
  /** The application of the command. */
  app: Context | undefined;
  readonly #onCreated: (app: Context) => void;
  readonly #address = withResolvers<string>();
  readonly #restores = new Map<Context, () => void>();
  #onFirst: (call: { readonly app: Context }) => void = () => {};
  #options: ListenOptions = {};

  /** @param onCreated Called with each application, before its first declaration. */
  constructor(onCreated: (app: Context) => void) {
    this.#onCreated = onCreated;
    this.first = new Promise((resolve) => {
      this.#onFirst = resolve;
    });
    subscribe(initialization, this.#take);
  }

  /** From now on, all other applications listen as they ask. */
  choose(app: Context): Pick<Application, 'listen' | 'listenOptions'> {
    this.app = app;
    const listen = async (options: ListenOptions): Promise<void> => {
      this.#restores.get(app)?.();
      const address = await app.listen(options);
      // The program may call it later. Then it gets this address, too.
      this.#replace(app);
      this.#address.resolve(address);
    };
    return { listenOptions: this.#options, listen };
  }

  stop(): void {
    unsubscribe(initialization, this.#take);
    for (const [app, restore] of this.#restores) if (app !== this.app) restore();
  }

  readonly #take = (message: unknown): void => {
    const app = (message as { fastify: Context }).fastify;
    this.#onCreated(app);
    this.#replace(app);
  };

  #replace(app: Context): void {
    const before = Object.getOwnPropertyDescriptor(app, 'listen');
    const listen: Listen = (optionsOrCallback, second) => {
      const isCallback = typeof optionsOrCallback === 'function';
      const callback = isCallback ? (optionsOrCallback as typeof second) : second;
      if (this.app === undefined) {
        this.app = app;
        this.#options = isCallback ? {} : { ...optionsOrCallback };
        this.#onFirst({ app });
        this.stop();
      }
      if (callback === undefined) return this.#address.promise;
      this.#address.promise.then((address) => callback(null, address));
      return undefined;
    };
    Object.defineProperty(app, 'listen', { value: listen, configurable: true, writable: true });
    this.#restores.set(app, () => {
      if (before === undefined) Reflect.deleteProperty(app, 'listen');
      else Object.defineProperty(app, 'listen', before);
    });
  }
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
