/** Loads an application: finds its module, imports it, and checks what it exports. */
import type { Context } from 'ambit';
import { toCommandError } from './application-failure.ts';
import { checkTypescript } from './check-typescript.ts';
import { callExport, checkApplication, defaultExport } from './default-export.ts';
import { findApplication, toDisplayPath } from './find-application.ts';
import { type Framework, findFramework } from './framework.ts';
import { hideExpectedWarnings } from './hide-warnings.ts';
import { importModule } from './import-module.ts';
import { withoutListening } from './refuse-listen.ts';

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
