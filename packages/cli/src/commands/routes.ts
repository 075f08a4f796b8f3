/** `ambit routes`: lists the routes of an application. */
import type { DeclaredRoute } from 'ambit';
import { shownPath } from '../application/find-application.ts';
import { bootApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { exitCodes } from '../command-error.ts';
import { print, printJson, reserveStdout } from '../output.ts';
import { paintFor } from '../terminal.ts';

interface ShownRoute {
  readonly method: string;
  readonly url: string;
  readonly context: string;
  /** Where it is declared. */
  readonly file: string | undefined;
}

export async function run({ options, arguments: [named] }: CommandLine): Promise<number> {
  reserveStdout();
  const { app, framework } = await bootApplication(named);
  const routes = framework.listRoutes(app).filter(({ isAutomatic }) => !isAutomatic);
  const shown = routes.map(showRoute);
  await (options.json ? printJson(shown) : print(table(shown)));
  await app.close();
  return exitCodes.ok;
}

function showRoute({ method, url, where: { plugin = '', file } }: DeclaredRoute): ShownRoute {
  return {
    method: [method].flat().join(','),
    url,
    context: plugin,
    file: file === undefined ? undefined : shownPath(file.replace(/^file:\/\//, '')),
  };
}

function table(routes: readonly ShownRoute[]): string {
  if (routes.length === 0) return 'The application has no routes.\n';
  const paint = paintFor(process.stdout);
  const width = (key: 'method' | 'url' | 'context'): number =>
    Math.max(...routes.map((route) => route[key].length));
  const [methods, urls, contexts] = [width('method'), width('url'), width('context')];
  const lines = routes.map(({ method, url, context, file = '' }) =>
    [paint('cyan', method.padEnd(methods)), url.padEnd(urls), context.padEnd(contexts), paint('dim', file)]
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}
