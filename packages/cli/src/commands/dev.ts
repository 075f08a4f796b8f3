/** `ambit dev`: serves an application while it is developed, and restarts it when a file changes. */
import { checkTypescript } from '../application/check-typescript.ts';
import { findApplication, toDisplayPath } from '../application/find-application.ts';
import { type CommandLine, exitCodes } from '../command.ts';
import { DevServer } from '../dev/dev-server.ts';
import { fixPort, readListenOptions } from '../serve/listen-options.ts';
import { reporterFor } from '../serve/reporter.ts';
import { onStopSignals } from '../serve/stop-signals.ts';
import { hasColors, paintFor } from '../terminal.ts';

export async function run(line: CommandLine): Promise<number> {
  process.env.NODE_ENV ??= 'development';
  const file = findApplication(line.arguments[0]);
  checkTypescript(file, toDisplayPath(file));
  const { port, host } = readListenOptions(line, 3000);
  const isJson = line.options.json === true;
  const server = new DevServer({
    file,
    task: { appArgument: file, host, port: await fixPort(port, host), graceMs: 5_000, isDevelopment: true },
    // The application writes to a pipe, and does not see that there is a terminal behind it.
    env: hasColors(process.stdout) && process.env.FORCE_COLOR === undefined ? { FORCE_COLOR: '1' } : {},
    report: reporterFor(isJson),
    paint: paintFor(process.stdout),
    isJson,
  });
  server.start();
  await new Promise<void>((resolve) => {
    onStopSignals(
      ['SIGINT', 'SIGTERM', 'SIGHUP'],
      () => resolve(),
      () => server.kill(),
    );
  });
  await server.stop();
  return exitCodes.ok;
}
