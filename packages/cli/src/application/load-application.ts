/** Loads an application: finds its module, imports it, and checks what it exports. */
import type { Context } from 'ambit';
import { failureOf } from './application-failure.ts';
import { checkTypescript } from './check-typescript.ts';
import { callExport, checkApplication, defaultExport } from './default-export.ts';
import { findApplication, shownPath } from './find-application.ts';
import { type Framework, findFramework } from './framework.ts';
import { hideExpectedWarnings } from './hide-warnings.ts';
import { importModule } from './import-module.ts';
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

/** An application whose copy of `ambit` is not found is refused once it is loaded. */
function recordSitesOf(app: Context, file: string, shown: string): void {
  try {
    findFramework(app, file, shown).recordDeclarationSites();
  } catch {}
}

/** Loggers that are not pino's may have no level, and Fastify itself has no logger yet. */
function silenceLog(app: Context): void {
  const log = app.log as { level?: string } | undefined;
  if (log?.level !== undefined) log.level = 'silent';
}
