/** `ambit routes`: shows the routes of an application as a tree of its contexts, or the routes that no test has requested. */
import type { Context, DeclaredRoute, InspectedContext } from 'ambit';
import { isOurs, toDisplayPath } from '../application/find-application.ts';
import type { Framework } from '../application/framework.ts';
import { bootApplication } from '../application/load-application.ts';
import { type CommandLine, exitCodes, usageError } from '../command.ts';
import { readRun, recordRun } from '../routes/requested-routes.ts';
import { routeKey } from '../routes/route-key.ts';
import { type Paint, paintFor, print, printJson, reserveStdout } from '../terminal.ts';

interface ListedHook {
  readonly name: string;
  /** The name of the function, or the line that declares it. */
  readonly function: string;
  /** The context that added it. A hook of the route itself has the context of the route. */
  readonly context: string;
  readonly from: 'context' | 'route';
}

interface ListedRoute {
  readonly method: string;
  readonly url: string;
  /** The constraints of the route, such as `{ "version": "1.0.0" }`. */
  readonly constraints?: Readonly<Record<string, string>>;
  readonly context: string;
  /** The name of its handler, or the line that declares it. Handlers of the framework have neither. */
  readonly handler: string | undefined;
  /** The file that declares it. */
  readonly file: string | undefined;
  /** The parts that have a schema. */
  readonly schemas: readonly string[];
  /** In the order in which they run. */
  readonly hooks: readonly ListedHook[];
}

/** A route with its context, because several contexts may have one path. */
interface PlacedRoute {
  readonly route: ListedRoute;
  readonly place: Context;
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
  const { app, framework, file } = await bootApplication(appArgument, { recordsDeclarationSites: true });
  const contexts = framework.listContexts(app);
  const paths = new Map(contexts.map(({ context, path }) => [context, path]));
  let listed = framework
    .listRoutes(app)
    .filter((route) => options.all === true || !isOfFramework(route))
    .map((route) => ({ route: describeRoute(route, framework, paths), place: route.context }));
  await app.close();
  if (options.unused) {
    if (rest.length > 0) await recordRun(file, rest);
    listed = findUnused(listed, readRun(file));
  }
  const none = options.unused ? 'Every route has been requested.\n' : 'The application has no routes.\n';
  const paint = paintFor(process.stdout);
  await (options.json
    ? printJson(listed.map(({ route }) => route))
    : print(listed.length === 0 ? none : tree(listed, contexts, paint)));
  return options.check && listed.length > 0 ? exitCodes.failed : exitCodes.ok;
}

/** HEAD routes of GET routes, probes, and the pages of our packages. */
function isOfFramework({ isAutomatic, where }: DeclaredRoute): boolean {
  return isAutomatic || where.file === undefined || isOurs(where.file);
}

/**
 * The routes of the application that were not requested. A route with several methods is listed with the methods that were not
 * requested. Routes of the framework, which have no file, and of packages are not for the tests of the application.
 */
function findUnused(routes: readonly PlacedRoute[], requested: ReadonlySet<string>): PlacedRoute[] {
  return routes
    .filter(({ route: { file } }) => file !== undefined && !/(^|[\\/])node_modules[\\/]/.test(file))
    .map(({ route, place }) => {
      const unused = route.method
        .split(',')
        .filter((method) => !requested.has(routeKey(method, route.url, route.constraints)));
      return { route: { ...route, method: unused.join() }, place };
    })
    .filter(({ route }) => route.method !== '');
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
    .map(({ name, function: hook, from, context, file: declaredAt }) => ({
      name,
      function: nameOf(name, hook, declaredAt),
      context: (from === 'context' && context !== undefined && paths.get(context)) || plugin,
      from: from === 'context' ? ('context' as const) : ('route' as const),
    }));
  return {
    method: [method].flat().join(),
    url,
    ...(constraints.length > 0 && { constraints: Object.fromEntries(constraints) }),
    context: plugin,
    handler: file && nameOf('handler', options.handler, file),
    file: displayFile(file),
    schemas: schemaParts.filter((part) => Object(options.schema)[part] !== undefined),
    // A hook that runs for replies is a step of both successes and failures, so it occurs twice.
    hooks: hooks.filter((hook, i) => hooks.findIndex((other) => isSame(other, hook)) === i),
  };
}

const schemaParts = ['params', 'querystring', 'headers', 'body', 'response'] as const;

/** The name of a function; without one, or if it has that of the hook or `handler` because it was written as a property, the line. */
function nameOf(
  name: string,
  hook: ((...args: never[]) => unknown) | undefined,
  file: string | undefined,
): string {
  const own = hook?.name === name ? '' : hook?.name;
  return own || displayFile(file) || 'a function without a name';
}

function displayFile(file: string | undefined): string | undefined {
  return file === undefined ? undefined : toDisplayPath(file);
}

function isSame(a: ListedHook, b: ListedHook): boolean {
  return a.name === b.name && a.function === b.function && a.context === b.context;
}

/** The name of the handler. One without a name has the line, which has a column of its own. */
function handlerName(route: ListedRoute | undefined): string {
  return route?.handler === undefined || route.handler === route.file ? '' : route.handler;
}

/** A line of the tree: the columns that are aligned, and the hooks. */
interface Row {
  readonly branch: string;
  readonly method: string;
  readonly text: string;
  readonly route?: ListedRoute;
  readonly hooks: readonly ListedHook[];
}

/** The contexts that have routes, each with its own hooks and its routes, and a legend. */
function tree(routes: readonly PlacedRoute[], contexts: readonly InspectedContext[], paint: Paint): string {
  const [root] = contexts as readonly [InspectedContext];
  const rows = rowsOf(root, routes, contexts);
  const width = (read: (row: Row) => string): number =>
    Math.max(...rows.filter(({ route }) => route !== undefined).map((row) => read(row).length));
  const [heads, texts, handlers, files] = [
    width(({ branch, method }) => branch + method),
    width(({ text }) => text),
    width(({ route }) => handlerName(route)),
    width(({ route }) => route?.file ?? ''),
  ];
  const lines = rows.map(({ branch, method, text, route, hooks }) => {
    const called = hooks.map(({ name, function: hook }) => `${paint('dim', name)} ${hook}`).join(', ');
    if (route === undefined)
      return `${paint('dim', branch)}${[paint('bold', [method, text].join(' ').trimEnd()), called].join('  ')}`.trimEnd();
    const marks = schemaParts.map((part) => (route.schemas.includes(part) ? part.charAt(0) : '-')).join('');
    return [
      `${paint('dim', branch)}${paint('cyan', method.padEnd(heads - branch.length))} ${text.padEnd(texts)}`,
      paint('dim', marks),
      ...(handlers === 0 ? [] : [handlerName(route).padEnd(handlers)]),
      paint('dim', (route.file ?? '').padEnd(called === '' ? 0 : files)),
      ...(called === '' ? [] : [called]),
    ]
      .join('  ')
      .trimEnd();
  });
  const legend = 'schemas: p params, q query string, h headers, b body, r response';
  return `${lines.join('\n')}\n\n${paint('dim', legend)}\n`;
}

interface Branch {
  /** The lines of the tree in front of a context, and of what it contains. */
  readonly own: string;
  readonly below: string;
  /** Hooks that were shown on the way to it. */
  readonly shown: readonly ListedHook[];
}

function rowsOf(
  { context, path, name, prefix }: InspectedContext,
  routes: readonly PlacedRoute[],
  contexts: readonly InspectedContext[],
  branch: Branch = { own: '', below: '', shown: [] },
): Row[] {
  const own = routes.filter(({ place }) => place === context).map(({ route }) => route);
  const children = contexts
    .filter(({ parent }) => parent === context)
    .map((child) => ({ child, inside: routesInside(child.context, routes, contexts) }))
    .filter(({ inside }) => inside.length > 0);
  // The hooks of the context that all routes below have are shown once. Probes have none.
  const all = [...own, ...children.flatMap(({ inside }) => inside)].filter(({ file }) => file !== undefined);
  const shared = (all[0]?.hooks ?? []).filter(
    (hook) =>
      hook.from === 'context' &&
      hook.context === path &&
      all.every(({ hooks }) => hooks.some((other) => isSame(other, hook))),
  );
  const shown = [...branch.shown, ...shared];
  const lines = [...own, ...children].map((_, i, all) =>
    i + 1 < all.length ? ['├─ ', '│  '] : ['└─ ', '   '],
  );
  return [
    { branch: branch.own, method: name, text: prefix, hooks: shared },
    ...own.map((route, i): Row => {
      const hooks = route.hooks.filter((hook) => !shown.some((other) => isSame(other, hook)));
      return {
        branch: branch.below + lines[i]![0],
        method: route.method,
        text: formatUrl(route),
        route,
        hooks,
      };
    }),
    ...children.flatMap(({ child }, i) => {
      const [first, rest] = lines[own.length + i] as [string, string];
      return rowsOf(child, routes, contexts, {
        own: branch.below + first,
        below: branch.below + rest,
        shown,
      });
    }),
  ];
}

/** The routes of a context and of those below it. */
function routesInside(
  context: Context,
  routes: readonly PlacedRoute[],
  contexts: readonly InspectedContext[],
): ListedRoute[] {
  const children = contexts.filter(({ parent }) => parent === context);
  return [
    ...routes.filter(({ place }) => place === context).map(({ route }) => route),
    ...children.flatMap((child) => routesInside(child.context, routes, contexts)),
  ];
}

/** `/notes version=1.0.0` */
function formatUrl({ url, constraints = {} }: ListedRoute): string {
  return [url, ...Object.entries(constraints).map((entry) => entry.join('='))].join(' ');
}
