/** `ambit dev`: serves an application while it is developed, and restarts it when a file changes. */
import { checkTypescript } from '../application/check-typescript.ts';
import { findApplication, toDisplayPath } from '../application/find-application.ts';
import { type CommandLine, exitCodes } from '../command.ts';
import { listenForKeys } from '../dev/dev-screen.ts';
import { DevServer } from '../dev/dev-server.ts';
import { fixPort, readListenOptions } from '../serve/listen-options.ts';
import { onStopSignals } from '../serve/stop-signals.ts';
import { hasColors } from '../terminal.ts';
import { withResolvers } from '../with-resolvers.ts';

export async function run(line: CommandLine): Promise<number> {
  process.env.NODE_ENV ??= 'development';
  const file = findApplication(line.arguments[0]);
  checkTypescript(file, toDisplayPath(file));
  const isJson = line.options.json === true;
  const hasKeys = process.stdin.isTTY === true && !isJson;
  const place = await fixPort(readListenOptions(line));
  const server = new DevServer({
    file,
    task: { appArgument: file, place, graceMs: 5_000, isDevelopment: true },
    // The application writes to a pipe, and does not see that there is a terminal behind it.
    env: hasColors(process.stdout) && process.env.FORCE_COLOR === undefined ? { FORCE_COLOR: '1' } : {},
    isJson,
    hasKeys,
  });
  const { promise: stopped, resolve: stop } = withResolvers<void>();
  onStopSignals(
    ['SIGINT', 'SIGTERM', 'SIGHUP'],
    () => stop(),
    () => server.kill(),
  );
  if (hasKeys) listenForKeys(process.stdin, () => server.keys(stop));
  server.start();
  await stopped;
  await server.stop();
  return exitCodes.ok;
}
