/** Loads an application, and says what is wrong with its module before anything starts. */
import { pathToFileURL } from 'node:url';
import type { Context } from 'ambit';
import { CommandError } from '../command-error.ts';
import { checkTypescript } from './check-typescript.ts';
import { findApplication, shownPath } from './find-application.ts';
import { type Framework, findFramework } from './framework.ts';
import { hideExpectedWarnings } from './hide-warnings.ts';
import { placeInProgram, placeOfSyntaxError } from './place-of-error.ts';
import { withoutListening } from './refuse-listen.ts';

export interface Application {
  readonly app: Context;
  /** The module, as an absolute path. */
  readonly file: string;
  /** The module, as the user would type it. */
  readonly shown: string;
  /** The copy of `ambit` that made the app. */
  readonly framework: Framework;
}

export interface LoadOptions {
  /** Is called with each application that the module makes, before its first declaration. */
  readonly onMade?: (app: Context) => void;
  /** Whether somebody is going to look at the lines of declarations. */
  readonly recordsSites?: boolean;
}

/**
 * Imports the module of an application, and calls its default export if that is a function. It does not boot the application.
 *
 * @param named What the user named, if anything.
 * @throws {CommandError}
 */
export async function loadApplication(
  named: string | undefined,
  { onMade = () => {}, recordsSites = false }: LoadOptions = {},
): Promise<Application> {
  const file = findApplication(named);
  const shown = shownPath(file);
  checkTypescript(file, shown);
  hideExpectedWarnings();
  const onMadeHere = (app: Context): void => {
    if (recordsSites) recordSitesOf(app, file, shown);
    onMade(app);
  };
  // In an object: an application has a method `then`, which boots it.
  const { made } = await withoutListening(shown, onMadeHere, async () => {
    const exported = defaultExport(await importModule(file, shown), shown);
    if (typeof exported !== 'function') return { made: exported };
    return callExport(exported as () => unknown, shown);
  });
  const app = checkApplication(made, shown);
  return { app, file, shown, framework: findFramework(app, file, shown) };
}

/**
 * Loads an application without its logs, for commands that print something else, and boots it.
 *
 * @throws {CommandError}
 */
export async function bootApplication(
  named: string | undefined,
  options: Pick<LoadOptions, 'recordsSites'> = {},
): Promise<Application> {
  const loaded = await loadApplication(named, { ...options, onMade: silenceLog });
  await boot(loaded);
  return loaded;
}

/** @throws {CommandError} with what the boot of the application failed with. */
export async function boot({ app, shown }: Pick<Application, 'app' | 'shown'>): Promise<void> {
  try {
    await app.ready();
  } catch (cause) {
    throw failureOf(cause, shown, 'the application does not boot');
  }
}

/** An error of the application, with the line that it comes from. */
export function failureOf(
  cause: unknown,
  shown: string,
  problem: string,
  place: string | undefined = placeInProgram(cause),
): CommandError {
  if (cause instanceof CommandError) return cause;
  const { message, hint, where } = Object(cause) as Partial<Error> & {
    hint?: string;
    where?: { route?: string };
  };
  const route = where?.route === undefined ? '' : ` (${where.route})`;
  return new CommandError({
    file: place ?? shown,
    problem: `${problem}: ${typeof message === 'string' ? firstLines(message) : String(cause)}${route}`,
    remedy:
      hint === undefined
        ? place === undefined
          ? '`--stack` shows where.'
          : undefined
        : `${upperFirst(hint)}.`,
    cause,
  });
}

/** An application whose copy of `ambit` is not found is refused once it is loaded. */
function recordSitesOf(app: Context, file: string, shown: string): void {
  try {
    findFramework(app, file, shown).recordDeclarationSites();
  } catch {}
}

async function importModule(file: string, shown: string): Promise<Record<string, unknown>> {
  const { href } = pathToFileURL(file);
  try {
    return await import(href);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    const { code, message = String(cause) } = Object(cause) as NodeJS.ErrnoException;
    const remedy = remedyOf(code, message);
    const place = cause instanceof SyntaxError ? placeOfSyntaxError(cause, href) : placeInProgram(cause);
    if (remedy === undefined) throw failureOf(cause, shown, 'the module cannot be imported', place);
    throw new CommandError({
      file: place ?? shown,
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

/** CommonJS counts too: `module.exports`, or what a compiler makes of a default export. */
function defaultExport(module: Record<string, unknown>, shown: string): unknown {
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

async function callExport(make: () => unknown, shown: string): Promise<{ made: unknown }> {
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

function checkApplication(made: unknown, shown: string): Context {
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

/** Loggers that are not pino's may have no level, and Fastify itself has no logger yet. */
function silenceLog(app: Context): void {
  const log = app.log as { level?: string } | undefined;
  if (log?.level !== undefined) log.level = 'silent';
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).replace(/\.$/, '');
}
