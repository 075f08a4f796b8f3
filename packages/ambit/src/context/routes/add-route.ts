/** What happens when a route is declared? Its options are checked, `onRoute` hooks run, and it is added to the router (specification 2.1). */

import { isDuplicate, type RouteTarget } from '../../routing/router.ts';
import {
  addFirst,
  CallSite,
  type DeclarationPlace,
  type ErrorPlace,
  withErrorPlace,
} from '../../shared/call-site.ts';
import { isWithoutContent } from '../../shared/http-facts.ts';
import { didYouMean } from '../../shared/nearest-name.ts';
import { describeError } from '../../shared/readable.ts';
import { parameterNames } from '../../shared/typed-calls.ts';
import {
  closeStream,
  isNodeStream,
  isPlainObject,
  isWebResponse,
  isWebStream,
  responseFields,
} from '../../shared/values.ts';
import type { Context } from '../../types/context.ts';
import {
  AlreadyStarted,
  HeadRouteTooLate,
  MethodInvalid,
  MethodUnsupported,
  ParameterDuplicated,
  RouteDuplicated,
  RouteInvalid,
  RouteLogLevelInvalid,
  RouteUrlInvalid,
} from '../../types/errors.ts';
import type { PayloadHook } from '../../types/hooks.ts';
import type { Origin } from '../../types/inspection.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { Reply } from '../../types/reply.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { BootStep } from '../boot/loader.ts';
import { type ContextNode, childLoggerFactoryOf, type RouteContextSettings } from '../context-node.ts';
import { isRecordingSites, nodeOf } from '../definitions.ts';
import { type AddedHook, checkRouteHooks, countAddedHooks, requestHookNames } from '../hooks.ts';
import { reportMistake, typeOf } from '../options/check-options.ts';
import { checkRoute } from './route-options.ts';

/** What boot knows of a declared route. */
export interface RouteRecord {
  readonly node: ContextNode;
  /** The live options: `onRoute` hooks change them, also later. */
  readonly options: RegisteredRoute;
  /** The options as they were declared, if `onRoute` hooks may have changed them. */
  readonly declared: RouteOptions | undefined;
  readonly site: CallSite;
  /** The step of boot that declared it. */
  readonly step: BootStep;
  /** Whether it is the HEAD route that goes with a GET route. */
  readonly isAutomatic: boolean;
  /** Its URL pattern in the router. */
  url: string;
  /** The URL `/` under a prefix has a second pattern, with a slash at its end. */
  secondUrl: string | undefined;
  readonly exposesHead: boolean;
  readonly target: RouteTarget;
  /** The settings that it has taken from its context; `undefined` while what was registered before it has not loaded. */
  settings: RouteContextSettings | undefined;
  /** The functions that `onRoute` hooks have added to the options, each with the hook's line and plugin, if a tool has asked for them. */
  addedBy: Map<unknown, Origin> | undefined;
  /** The schema before boot completed it: what the route declared, or an `onRoute` hook put in its place. */
  declaredSchema: RouteSchema | undefined;
}

/** The place of an error in a route: its plugin, the route, and the line that declared it. */
export function routePlace(
  { node, options, site }: Pick<RouteRecord, 'node' | 'site'> & { readonly options: RouteOptions },
  url: string | undefined = options.url,
): ErrorPlace {
  const route = `${[options.method].flat().join(',')} ${url}`;
  return { plugin: node.path, route, file: site.file };
}

/** Runs code for a route, and adds the place to its errors. @param url That of the place. */
export function withRoutePlace<T>(
  route: Parameters<typeof routePlace>[0],
  run: () => T,
  url: string | undefined = route.options.url,
): T {
  return withErrorPlace(run, () => routePlace(route, url), route.node.app.translateError);
}

/** One call of `route` or of a shortcut, or the HEAD route of a GET. */
interface Declaration extends Pick<RouteRecord, 'node' | 'site' | 'isAutomatic'> {
  /** They become the live options. */
  readonly options: RouteOptions;
  readonly declared: RouteOptions;
}

/** The stack has three frames of this package above the call of `app.get`, and possibly a native one, such as that of `Reflect.apply`. */
const siteFrames = 5;

/** Errors of the catalogue have the context, the route and the caller's file in `where`. */
export function addRoute(node: ContextNode, options: RouteOptions): void {
  const site = new CallSite(siteFrames);
  declare({ node, options: { ...options }, declared: { ...options }, site, isAutomatic: false });
}

function declare(declaration: Declaration): void {
  const { node, options, declared } = declaration;
  const run = (): void => {
    if (node.app.boot.isFrozen || node.app.boot.isLoaded)
      throw describeError(new AlreadyStarted('Cannot add route!'), { prefix: '' });
    const url = options.url || options.path || '';
    if (typeof url !== 'string') throw new RouteUrlInvalid(typeOf(url));
    options.method = Array.isArray(options.method)
      ? options.method.map((method) => normalizeMethod(node, method))
      : normalizeMethod(node, options.method);
    checkRoute(node, options, url, declaration.isAutomatic);
    // What the check has removed from the options, because Fastify ignores it.
    for (const name of Object.keys(declared) as (keyof RouteOptions)[])
      if (options[name] === undefined) delete declared[name];
    addRecord(declaration, pathsOf(node, options, url));
  };
  withRoutePlace(declaration, run, declaredUrl(node, declared));
}

/** The URL of a route in errors. */
function declaredUrl({ prefix }: ContextNode, { url, path }: RouteOptions): string {
  return `${prefix}${url ?? path ?? ''}`;
}

function normalizeMethod({ methods }: ContextNode, method: unknown): string {
  if (typeof method !== 'string') throw new MethodInvalid(typeOf(method));
  const upper = method.toUpperCase();
  if (!methods.has(upper)) throw MethodUnsupported.at({ hint: didYouMean(upper, methods.keys()) }, upper);
  return upper;
}

/** One path, or two: the URL `/` under a prefix stands for the prefix itself, with and without a slash at its end. */
type Paths = readonly [path: string, secondPath?: string];

function pathsOf({ prefix, app }: ContextNode, options: RouteOptions, url: string): Paths {
  if (url !== '/' || prefix === '' || options.method === 'HEAD') {
    return [url.startsWith('/') && prefix.endsWith('/') ? url.slice(1) : url];
  }
  if (options.prefixTrailingSlash === 'slash') return [url];
  if (options.prefixTrailingSlash === 'no-slash') return [''];
  const { ignoreTrailingSlash, ignoreDuplicateSlashes } = app.options.router;
  const isAccepted = ignoreTrailingSlash || (ignoreDuplicateSlashes && prefix.endsWith('/'));
  return isAccepted ? [''] : ['', url];
}

/** Adds the route of a declaration. For `onRoute` hooks, a route with two URLs is one route: what they change applies to both. */
function addRecord(declaration: Declaration, [path, secondPath]: Paths): void {
  const { node, declared, site, isAutomatic } = declaration;
  const { boot, compatibility, options } = node.app;
  const live = completeOptions(node, declaration.options, path);
  checkLogLevel(node, live);
  if (!isAutomatic) checkParameterNames(node, live.url);
  // Plugins that were registered before the route, and have not loaded yet, may add hooks for it.
  const isDeferred = compatibility.onRouteFrom === 'register' && boot.step.unloaded > 0;
  const hooks = node.addedHooks('onRoute');
  const addedBy = callRouteHooks(node, live, hooks);
  if (!isDeferred) checkRouteHooks(live, compatibility);

  const record: RouteRecord = {
    node,
    options: live,
    url: live.url,
    secondUrl: undefined,
    exposesHead: live.exposeHeadRoute ?? options.exposeHeadRoutes,
    isAutomatic,
    target: { handler: live.handler, plan: undefined },
    site,
    step: boot.step,
    declared: isDeferred || hooks.length > 0 ? declared : undefined,
    addedBy,
    declaredSchema: undefined,
    settings: undefined,
  };
  if (!addToRouter(record, live.url)) return;
  node.routes.push(record);
  completeLater(record, isDeferred);
  addHead(record, declared, path);
  if (secondPath === undefined) return;
  const { url } = completeOptions(node, live, secondPath);
  addToRouter(record, url);
  record.secondUrl = url;
  addHead(record, declared, secondPath);
}

/** Declares the HEAD route that goes with a GET route, if there is no other one. */
function addHead(
  { node, options, exposesHead, site }: RouteRecord,
  declared: RouteOptions,
  path: string,
): void {
  const methods = [options.method].flat();
  if (!exposesHead || !methods.includes('GET') || methods.includes('HEAD')) return;
  if (node.app.router.findDeclared('HEAD', options.url, options.constraints) !== null) return;
  const { onSend } = declared;
  // `null` means no hook. If an `onRoute` hook replaces it by a function, that is checked later, as on the GET route.
  const onSendHooks = onSend == null ? headReplyHook : [onSend, headReplyHook].flat();
  const head = { ...declared, method: 'HEAD', url: path, path, onSend: onSendHooks };
  declare({ node, options: head, declared: { ...head }, site, isAutomatic: true });
}

/** Completes the options in place, because `onRoute` hooks keep the object, and what they change in it later must apply. */
function completeOptions(node: ContextNode, options: RouteOptions, path: string): RegisteredRoute {
  const { prefix } = node;
  const url = prefix + path;
  const live = Object.assign(options, { url, path: url, routePath: path, prefix }) as RegisteredRoute;
  live.logLevel ||= node.setting('logLevel') ?? '';
  const inherited = node.setting('logSerializers');
  if (inherited !== undefined || live.logSerializers !== undefined) {
    live.logSerializers = { ...inherited, ...live.logSerializers };
  }
  live.attachValidation ??= false;
  if (!isPlainObject(live.constraints)) live.constraints = {};
  return live;
}

function checkLogLevel({ app }: ContextNode, { logLevel, method, url }: RegisteredRoute): void {
  const levels = (app.log as { levels?: { values?: Record<string, number> } }).levels?.values;
  if (logLevel && levels !== undefined && levels[logLevel] === undefined)
    throw new RouteLogLevelInvalid(String(method), url, String(logLevel));
}

/** If two parameters of a path have one name, only the value of the last would be kept. */
function checkParameterNames({ app }: ContextNode, url: string): void {
  if (!/[:*]/.test(url)) return;
  const names = parameterNames(url);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) reportMistake(app.compatibility, new ParameterDuplicated(url, twice));
}

/** @returns `addedBefore`, from earlier hooks of the same route, with what these hooks have added. */
function callRouteHooks(
  node: ContextNode,
  live: RegisteredRoute,
  hooks: readonly AddedHook[],
  addedBefore?: RouteRecord['addedBy'],
): RouteRecord['addedBy'] {
  let addedBy = addedBefore;
  const seen = isRecordingSites() && hooks.length > 0 ? new Set(functionsOf(live)) : undefined;
  for (const { hook, site, step } of hooks) {
    hook.call(node.api, live as never);
    if (seen === undefined) continue;
    for (const added of functionsOf(live)) {
      if (seen.has(added)) continue;
      seen.add(added);
      addedBy ??= new Map();
      addedBy.set(added, { site, step });
    }
  }
  return addedBy;
}

function functionsOf(live: RegisteredRoute): unknown[] {
  return [...requestHookNames, 'errorHandler', 'handler'].flatMap(
    (name) => (live[name as keyof RegisteredRoute] as unknown) ?? [],
  );
}

/** @returns Whether the route was added. An automatic HEAD route is not, if there is a declared one. */
function addToRouter(record: RouteRecord, url: string): boolean {
  const { node, options, target, isAutomatic } = record;
  const methods = [options.method].flat();
  try {
    node.app.router.add(options.method, url, options.constraints ?? {}, target);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const [, strategy = ''] = /constraint key (.+)$/.exec(message) ?? [];
    const added = [...nodeOf(node.app.root).descendants()].flatMap(({ definitions }) => definitions);
    const names = added.filter(({ kind }) => kind === 'constraintStrategy').map(({ name }) => String(name));
    const hint = didYouMean(strategy, ['host', 'version', ...names]);
    if (!isDuplicate(error, methods)) throw RouteInvalid.at({ cause: error, hint }, message);
    if (isAutomatic) return false;
    const duplicated = RouteDuplicated.at({ cause: error }, methods.join(','), url);
    addFirst(duplicated, firstDeclaration(record, methods, url));
    throw duplicated;
  }
}

/** Finds the route that has the URL already. It may have been declared by another context, or for more methods. */
function firstDeclaration(
  { node: { app }, options }: RouteRecord,
  methods: readonly string[],
  url: string,
): DeclarationPlace | undefined {
  const stores = methods.map((method) => app.router.findDeclared(method, url, options.constraints)?.store);
  for (const node of nodeOf(app.root).descendants()) {
    const first = node.routes.find(({ target }) => stores.includes(target));
    if (first !== undefined) return { plugin: node.path, file: first.site.file };
  }
  return undefined;
}

/** The last `onSend` hook of automatic HEAD routes. */
export const headReplyHook: PayloadHook = function headRouteOnSendHandler(_request, reply, payload, done) {
  if (payload !== undefined && payload !== null) setContentFields(payload, reply);
  // `null` says that there is nothing to describe.
  else if (payload === undefined && !isWithoutContent(reply.statusCode)) setLength(reply, '0', false);
  done(null, null);
};

/** Sets the header fields that describe the content. The length of a stream is not known before it is read, so the stream is closed. */
function setContentFields(payload: unknown, reply: Reply): void {
  const report = (err: Error): void => {
    reply.log.error({ err }, 'Error on Stream found for HEAD route');
  };
  if (isNodeStream(payload)) closeStream(payload.on('error', report));
  else if (isWebStream(payload)) payload.cancel('Stream cancelled by HEAD route').catch(report);
  else if (isWebResponse(payload)) {
    reply.code(payload.status);
    for (const [name, value] of responseFields(payload)) reply.header(name, value);
    payload.body?.cancel('Stream cancelled by HEAD route').catch(() => {});
  } else setLength(reply, String(Buffer.byteLength(payload as string | Buffer)), true);
}

/** A length that the route has declared stays where it is the only one that is known: without a payload, and with 304. */
function setLength(reply: Reply, length: string, isOfPayload: boolean): void {
  const isKnown = isOfPayload && !isWithoutContent(reply.statusCode);
  if (isKnown || !reply.hasHeader('content-length')) reply.header('content-length', length);
}

/** A route that is completed when everything that was registered before it has loaded. */
interface PendingRoute {
  readonly record: RouteRecord;
  /** The factory that its context had when the route was declared. */
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
  /** How many hooks had been added when the route was added, which have run; `undefined` if later hooks do not run on it. */
  readonly hooksSeen: number | undefined;
}

/** Routes that one step of boot declares without a call of `register` or `after` between them: they are completed together. */
interface Batch {
  readonly routes: PendingRoute[];
  /** How many steps were registered when the batch was created. A route that is declared after a further step needs another batch. */
  end: number;
}

/** The batch of each step to which routes may still be added. */
const batches = new WeakMap<BootStep, Batch>();

/**
 * Completes a route after everything that was registered so far has loaded, and before anything that is registered later loads: it runs the
 * `onRoute` hooks that were added meanwhile, and takes the settings of its context.
 */
function completeLater(record: RouteRecord, runsHooks: boolean): void {
  const { node, step } = record;
  const { boot, root, compatibility } = node.app;
  const hooksSeen = runsHooks ? countAddedHooks() : undefined;
  const route = { record, childLoggerFactory: childLoggerFactoryOf(node), hooksSeen };
  const last = batches.get(step);
  if (last?.end === step.added) {
    last.routes.push(route);
    return;
  }
  const batch: Batch = { routes: [route], end: 0 };
  batches.set(step, batch);
  if (runsHooks) boot.after(root, () => runDeferredHooks(step, batch.routes), undefined);
  boot.addInternalStep(() => {
    if (batches.get(step) === batch) batches.delete(step);
    const isOfDeclaration = compatibility.childLoggerFactoryFrom === 'declaration';
    for (const { record, childLoggerFactory } of batch.routes)
      record.settings = record.node.settingsForRoutes(isOfDeclaration ? childLoggerFactory : undefined);
  });
  batch.end = step.added;
}

function runDeferredHooks(step: BootStep, routes: readonly PendingRoute[]): void {
  let hasMoved = false;
  for (const { record, hooksSeen } of routes) {
    if (hooksSeen === undefined) continue;
    // Hooks that the step itself added after the route do not run on it.
    const isNew = (added: AddedHook): boolean => added.order >= hooksSeen && added.step !== step;
    if (runHooksOn(record, record.node.addedHooks('onRoute').filter(isNew))) hasMoved = true;
  }
  if (hasMoved) rebuildRouter(routes[0]!.record.node);
}

/** What the hooks change applies as if they had run at once. Returns whether they changed the method, URL or constraints. */
function runHooksOn(record: RouteRecord, hooks: readonly AddedHook[]): boolean {
  const { node, options: live, declared, target, exposesHead, url, secondUrl } = record;
  const { path, routePath } = live;
  // Of two URLs, the hooks see the first, and the options have the second one afterwards.
  if (secondUrl !== undefined) Object.assign(live, { url, path: url, routePath: '' });
  const before = routerKeyOf(live);
  const run = (): void => {
    record.addedBy = callRouteHooks(node, live, hooks, record.addedBy);
    checkRouteHooks(live, node.app.compatibility);
    if ((live.exposeHeadRoute ?? exposesHead) !== exposesHead) throw new HeadRouteTooLate();
  };
  withRoutePlace(record, run, declaredUrl(node, declared!));
  target.handler = live.handler;
  const hasMoved = routerKeyOf(live) !== before;
  if (hasMoved) record.url = live.url;
  if (secondUrl !== undefined) Object.assign(live, { url: secondUrl, path, routePath });
  return hasMoved;
}

/** A key of the properties by which the router distinguishes routes. */
function routerKeyOf({ method, url, constraints }: RegisteredRoute): string {
  return JSON.stringify([
    method,
    url,
    Object.entries(constraints ?? {}).map(([name, value]) => [name, String(value)]),
  ]);
}

/** Empties the router and adds the routes of all contexts again: find-my-way would also rebuild everything to remove one route. */
function rebuildRouter({ app }: ContextNode): void {
  app.router.clear();
  for (const node of nodeOf(app.root).descendants()) {
    for (const record of node.routes.splice(0)) {
      const { url, secondUrl } = record;
      const add = (): boolean =>
        addToRouter(record, url) && (secondUrl === undefined || addToRouter(record, secondUrl));
      if (withRoutePlace(record, add, url)) node.routes.push(record);
    }
  }
}
