/** `ambit routes`: lists the routes of an application, with their hooks, or those that no test has requested. */
import type { Context, DeclaredRoute } from 'ambit';
import { shownPath } from '../application/find-application.ts';
import type { Framework } from '../application/framework.ts';
import { bootApplication } from '../application/load-application.ts';
import type { CommandLine } from '../command.ts';
import { exitCodes, usageError } from '../command-error.ts';
import { print, printJson, reserveStdout } from '../output.ts';
import { readRun, recordRun } from '../routes/requested-routes.ts';
import { routeKey } from '../routes/route-key.ts';
import { type Paint, paintFor } from '../terminal.ts';

interface ShownHook {
  readonly name: string;
  readonly function: string;
  /** The context that added it. A hook of the route itself has the context of the route. */
  readonly context: string;
}

interface ShownRoute {
  readonly method: string;
  readonly url: string;
  /** What requests must have besides, such as `{ "version": "1.0.0" }`. */
  readonly constraints?: Readonly<Record<string, string>>;
  readonly context: string;
  /** Where it is declared. */
  readonly file: string | undefined;
  /** In the order in which a request meets them. */
  readonly hooks: readonly ShownHook[];
}

export async function run({ command, options, arguments: [named], rest }: CommandLine): Promise<number> {
  if (options.unused !== true && (rest.length > 0 || options.check === true))
    throw usageError('--check and a command after -- need --unused', command);
  reserveStdout();
  const { app, framework, file } = await bootApplication(named);
  const routes = framework.listRoutes(app).filter(({ isAutomatic }) => !isAutomatic);
  const paths = new Map(framework.listContexts(app).map(({ context, path }) => [context, path]));
  let shown = routes.map((route) => showRoute(route, framework, paths));
  await app.close();
  if (options.unused) {
    if (rest.length > 0) await recordRun(file, rest);
    shown = findUnused(shown, readRun(file));
  }
  const none = options.unused ? 'Every route has been requested.\n' : 'The application has no routes.\n';
  await (options.json ? printJson(shown) : print(shown.length === 0 ? none : table(shown)));
  return options.check && shown.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** A route with several methods is listed with those that were not requested. */
function findUnused(routes: readonly ShownRoute[], requested: ReadonlySet<string>): ShownRoute[] {
  return routes
    .map((route) => {
      const methods = route.method.split(',');
      const unused = methods.filter(
        (method) => !requested.has(routeKey(method, route.url, route.constraints)),
      );
      return { ...route, method: unused.join() };
    })
    .filter(({ method }) => method !== '');
}

function showRoute(
  route: DeclaredRoute,
  { listSteps }: Framework,
  paths: ReadonlyMap<Context, string>,
): ShownRoute {
  const { method, url, where, options } = route;
  const constraints = Object.entries(options.constraints ?? {}).map(([name, value]) => [name, String(value)]);
  const { plugin = '', file } = where;
  const hooks = listSteps(route)
    .filter(({ name, from }) => name !== 'handler' && name !== 'errorHandler' && from !== 'framework')
    .map(({ name, function: called, from, context }) => ({
      name,
      function: called?.name || 'anonymous',
      context: (from === 'context' && context !== undefined && paths.get(context)) || plugin,
    }));
  return {
    method: [method].flat().join(),
    url,
    ...(constraints.length > 0 && { constraints: Object.fromEntries(constraints) }),
    context: plugin,
    file: file === undefined ? undefined : shownPath(file.replace(/^file:\/\//, '')),
    // A hook of replies is a step of successes and of failures.
    hooks: hooks.filter((hook, i) => hooks.findIndex((other) => isSame(other, hook)) === i),
  };
}

function isSame(a: ShownHook, b: ShownHook): boolean {
  return a.name === b.name && a.function === b.function && a.context === b.context;
}

function table(routes: readonly ShownRoute[]): string {
  const paint = paintFor(process.stdout);
  const width = (read: (route: ShownRoute) => string): number =>
    routes.reduce((most, route) => Math.max(most, read(route).length), 0);
  const [methods, urls, contexts] = [width(({ method }) => method), width(address), width((r) => r.context)];
  const lines = routes.flatMap((route) => [
    [
      paint('cyan', route.method.padEnd(methods)),
      address(route).padEnd(urls),
      route.context.padEnd(contexts),
      paint('dim', route.file ?? ''),
    ]
      .join('  ')
      .trimEnd(),
    ...showHooks(route.hooks, paint).map((line) => `${' '.repeat(methods + 2)}${line}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** `/notes version=1.0.0` */
function address({ url, constraints = {} }: ShownRoute): string {
  return [url, ...Object.entries(constraints).map((entry) => entry.join('='))].join(' ');
}

/** One line: `onRequest checkToken, preHandler loadNote`. */
function showHooks(hooks: readonly ShownHook[], paint: Paint): string[] {
  if (hooks.length === 0) return [];
  return [hooks.map(({ name, function: called }) => `${paint('dim', name)} ${called}`).join(', ')];
}
