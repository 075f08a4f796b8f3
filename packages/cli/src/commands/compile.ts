/** `ambit compile`: compiles the schemas of an application to a module, for production. */
import { dirname, join } from 'node:path';
import { toCommandError } from '../application/application-failure.ts';
import { toDisplayPath } from '../application/find-application.ts';
import { boot, loadApplication } from '../application/load-application.ts';
import { type CommandLine, exitCodes } from '../command.ts';
import { writeOutput } from '../output-file.ts';
import { Progress, print, printJson, reserveStdout } from '../terminal.ts';

export async function run({ options, arguments: [appArgument] }: CommandLine): Promise<number> {
  reserveStdout();
  const startedMs = performance.now();
  const progress = new Progress(3);
  try {
    progress.next('load the application');
    const application = await loadApplication(appArgument);
    const { app, file, displayPath, framework } = application;
    const target = (options.output as string | undefined) ?? join(dirname(file), 'compiled-schemas.js');
    progress.next(`boot ${displayPath} and compile its schemas`);
    const text = await framework.compileSchemas(app).catch((cause) => {
      throw toCommandError(cause, displayPath, 'the application does not boot');
    });
    await boot(application);
    const routes = framework.listRoutes(app).filter(({ isAutomatic }) => !isAutomatic).length;
    const bytes = Buffer.byteLength(text);
    progress.next(`write ${toDisplayPath(target)}`);
    writeOutput(toDisplayPath(target), text);
    progress.end();
    const ms = Math.round(performance.now() - startedMs);
    if (options.json) await printJson({ file: toDisplayPath(target), routes, bytes, ms });
    else
      await print(`${toDisplayPath(target)}: ${routes} routes, ${(bytes / 1024).toFixed(1)} KiB, ${ms} ms\n`);
    await app.close();
    return exitCodes.ok;
  } catch (error) {
    progress.end();
    throw error;
  }
}
