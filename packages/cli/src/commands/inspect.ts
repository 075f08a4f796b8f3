/** `ambit inspect`: opens the inspector of an application in a browser, or prints its model. */

import { spawn } from 'node:child_process';
import { loadFor, mountInspector } from '../application/framework.ts';
import { bootApplication } from '../application/load-application.ts';
import { CommandError, type CommandLine, exitCodes, integerOption } from '../command.ts';
import { serveApplication } from '../serve/serve-application.ts';
import { onStopSignals } from '../serve/stop-signals.ts';
import { print, printJson, reserveStdout } from '../terminal.ts';
import { withResolvers } from '../with-resolvers.ts';

type Inspector = typeof import('@ambit/inspector');

export async function run(line: CommandLine): Promise<number> {
  reserveStdout();
  const [appArgument] = line.arguments;
  if (line.options.json) {
    const { app, file } = await bootApplication(appArgument, { recordsDeclarationSites: true });
    const { inspect } = loadFor<Inspector>(file, '@ambit/inspector');
    await printJson(await inspect(app as never));
    await app.close();
    return exitCodes.ok;
  }
  if (process.env.NODE_ENV === 'production')
    throw new CommandError({
      problem: 'NODE_ENV is production',
      remedy: 'Unset it: the inspector shows an application in development.',
    });
  const stopped = withResolvers<NodeJS.Signals>();
  onStopSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], stopped.resolve);
  const port = integerOption(line, 'port', [0, 65_535]) ?? 0;
  const place = { port, host: 'localhost' };
  const served = await serveApplication(
    appArgument,
    { given: place, otherwise: place },
    { mount: mountInspector },
  );
  if (served.mountedPath === undefined)
    throw new CommandError({
      problem: 'the application has booted by itself',
      remedy: 'Remove the call of `ready`.',
    });
  const url = served.address + served.mountedPath;
  await print(`inspector: ${url}\n`);
  if (!line.options['no-open'] && process.stdout.isTTY) open(url);
  await stopped.promise;
  await served.stop({ graceMs: 5_000, idleMs: 0 });
  return exitCodes.ok;
}

/** Opens an address with the program in `BROWSER`, or with that of the system. Errors are ignored, because the address is also printed. */
export function open(url: string): void {
  const [command = '', ...args] = process.env.BROWSER?.split(' ') ??
    openers[process.platform] ?? ['xdg-open'];
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref();
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};
