/** `ambit routes`: lists the routes of an application with their hooks, or the routes that no test has requested. */
import type { Context, DeclaredRoute } from 'ambit';
import { toDisplayPath } from '../application/find-application.ts';
import type { Framework } from '../application/framework.ts';
import { bootApplication } from '../application/load-application.ts';
import { type CommandLine, exitCodes, usageError } from '../command.ts';
import { readRun, recordRun } from '../routes/requested-routes.ts';
import { routeKey } from '../routes/route-key.ts';
import { type Paint, paintFor, print, printJson, reserveStdout } from '../terminal.ts';

interface ListedHook {
  readonly name: string;
  readonly function: string;
  /** The context that added it. A hook of the route itself has the context of the route. */
  readonly context: string;
}

interface ListedRoute {
  readonly method: string;
  readonly url: string;
  /** The constraints of the route, such as `{ "version": "1.0.0" }`. */
  readonly constraints?: Readonly<Record<string, string>>;
  readonly context: string;
  /** The file that declares it. */
  readonly file: string | undefined;
  /** In the order in which they run. */
  readonly hooks: readonly ListedHook[];
}

export async function run({
  command,
  options,
  arguments: [appArgument],
  rest,
}: CommandLine): Promise<number> {
  if (options.unused !== true && (rest.length > 0 || options.check === true))
    throw usageError('--check and a command after -- need --unused', command);
  reserveStdout();
  const { app, framework, file } = await bootApplication(appArgument);
  const routes = framework.listRoutes(app).filter(({ isAutomatic }) => !isAutomatic);
  const paths = new Map(framework.listContexts(app).map(({ context, path }) => [context, path]));
  let listed = routes.map((route) => describeRoute(route, framework, paths));
  await app.close();
  if (options.unused) {
    if (rest.length > 0) await recordRun(file, rest);
    listed = findUnused(listed, readRun(file));
  }
  const none = options.unused ? 'Every route has been requested.\n' : 'The application has no routes.\n';
  await (options.json ? printJson(listed) : print(listed.length === 0 ? none : table(listed)));
  return options.check && listed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/**
 * The routes of the application that were not requested. A route with several methods is listed with the methods that were not
 * requested. Routes of the framework, which have no file, and of packages are not for the tests of the application.
 */
function findUnused(routes: readonly ListedRoute[], requested: ReadonlySet<string>): ListedRoute[] {
  return routes
    .filter(({ file }) => file !== undefined && !/(^|[\\/])node_modules[\\/]/.test(file))
    .map((route) => {
      const methods = route.method.split(',');
      const unused = methods.filter(
        (method) => !requested.has(routeKey(method, route.url, route.constraints)),
      );
      return { ...route, method: unused.join() };
    })
    .filter(({ method }) => method !== '');
}

function describeRoute(
  route: DeclaredRoute,
  { listSteps }: Framework,
  paths: ReadonlyMap<Context, string>,
): ListedRoute {
  const { method, url, where, options } = route;
  const constraints = Object.entries(options.constraints ?? {}).map(([name, value]) => [name, String(value)]);
  const { plugin = '', file } = where;
  const hooks = listSteps(route)
    .filter(({ name, from }) => name !== 'handler' && name !== 'errorHandler' && from !== 'framework')
    .map(({ name, function: hook, from, context }) => ({
      name,
      function: hook?.name || 'anonymous',
      context: (from === 'context' && context !== undefined && paths.get(context)) || plugin,
    }));
  return {
    method: [method].flat().join(),
    url,
    ...(constraints.length > 0 && { constraints: Object.fromEntries(constraints) }),
    context: plugin,
    file: file === undefined ? undefined : toDisplayPath(file.replace(/^file:\/\//, '')),
    // A hook that runs for replies is a step of both successes and failures, so it occurs twice.
    hooks: hooks.filter((hook, i) => hooks.findIndex((other) => isSame(other, hook)) === i),
  };
}

function isSame(a: ListedHook, b: ListedHook): boolean {
  return a.name === b.name && a.function === b.function && a.context === b.context;
}

function table(routes: readonly ListedRoute[]): string {
  const paint = paintFor(process.stdout);
  const width = (read: (route: ListedRoute) => string): number =>
    routes.reduce((most, route) => Math.max(most, read(route).length), 0);
  const [methods, urls, contexts] = [
    width(({ method }) => method),
    width(formatUrl),
    width((r) => r.context),
  ];
  const lines = routes.flatMap((route) => [
    [
      paint('cyan', route.method.padEnd(methods)),
      formatUrl(route).padEnd(urls),
      route.context.padEnd(contexts),
      paint('dim', route.file ?? ''),
    ]
      .join('  ')
      .trimEnd(),
    ...formatHooks(route.hooks, paint).map((line) => `${' '.repeat(methods + 2)}${line}`),
  ]);
  return `${lines.join('\n')}\n`;
}

/** `/notes version=1.0.0` */
function formatUrl({ url, constraints = {} }: ListedRoute): string {
  return [url, ...Object.entries(constraints).map((entry) => entry.join('='))].join(' ');
}

/** One line: `onRequest checkToken, preHandler loadNote`. */
function formatHooks(hooks: readonly ListedHook[], paint: Paint): string[] {
  if (hooks.length === 0) return [];
  return [hooks.map(({ name, function: hook }) => `${paint('dim', name)} ${hook}`).join(', ')];
}
