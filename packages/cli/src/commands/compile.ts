/** `ambit compile`: compiles the schemas of an application to a module, for production. */
import { dirname, join } from 'node:path';
import { failureOf } from '../application/application-failure.ts';
import { shownPath } from '../application/find-application.ts';
import { boot, loadApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { exitCodes } from '../command-error.ts';
import { print, printJson, reserveStdout } from '../output.ts';
import { Progress } from '../progress.ts';
import { writeOutput } from '../written-file.ts';

export async function run({ options, arguments: [named] }: CommandLine): Promise<number> {
  reserveStdout();
  const startedMs = performance.now();
  const progress = new Progress(3);
  try {
    progress.next('load the application');
    const application = await loadApplication(named);
    const { app, file, shown, framework } = application;
    const target = (options.output as string | undefined) ?? join(dirname(file), 'compiled-schemas.js');
    progress.next(`boot ${shown} and compile its schemas`);
    const text = await framework.compileSchemas(app).catch((cause) => {
      throw failureOf(cause, shown, 'the application does not boot');
    });
    await boot(application);
    const routes = framework.listRoutes(app).filter(({ isAutomatic }) => !isAutomatic).length;
    const bytes = Buffer.byteLength(text);
    progress.next(`write ${shownPath(target)}`);
    writeOutput(shownPath(target), text);
    progress.end();
    const ms = Math.round(performance.now() - startedMs);
    if (options.json) await printJson({ file: shownPath(target), routes, bytes, ms });
    else await print(`${shownPath(target)}: ${routes} routes, ${(bytes / 1024).toFixed(1)} KiB, ${ms} ms\n`);
    await app.close();
    return exitCodes.ok;
  } catch (error) {
    progress.end();
    throw error;
  }
}
