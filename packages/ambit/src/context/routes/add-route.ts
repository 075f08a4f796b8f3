/** Adds a route: checks its options, runs the `onRoute` hooks and adds it to the router (specification 2.1). */

import { isDuplicate, type RouteTarget } from '../../routing/router.ts';
import {
  addFirst,
  CallSite,
  type DeclarationPlace,
  type ErrorPlace,
  withErrorPlace,
} from '../../shared/call-site.ts';
import { isWithoutContent } from '../../shared/http-facts.ts';
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
} from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { PayloadHook, RequestHook } from '../../types/hooks.ts';
import type { Origin } from '../../types/inspection.ts';
import type { ChildLoggerFactory } from '../../types/logger.ts';
import type { Reply } from '../../types/reply.ts';
import type { RegisteredRoute } from '../../types/route-info.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { RouteSchema } from '../../types/route-schema.ts';
import type { AppState } from '../app-state.ts';
import type { Step } from '../boot/loader.ts';
import { type ContextNode, type ContextSettings, nodeOf } from '../context-node.ts';
import { isRecordingSites } from '../definitions.ts';
import { type AddedHook, checkRouteHooks, countAddedHooks, requestHookNames } from '../hooks.ts';
import { reportMistake } from '../options/check-options.ts';
import { checkRoute, takeSettingsLater } from './route-options.ts';

/** One call of `route` or of a shortcut. */
interface Declaration {
  readonly node: ContextNode;
  /** The live options: `onRoute` hooks change them. */
  readonly options: RouteOptions;
  /** The options as they were declared, for the HEAD route that goes with a GET. */
  readonly declared: RouteOptions;
  readonly site: CallSite;
  readonly isAutomatic: boolean;
}

/** The stack has three frames of this package above the call of `app.get`, and possibly a native one, such as that of `Reflect.apply`. */
const siteFrames = 5;

/** @throws An error of the catalogue, with the context, the route and the caller's file in `where`. */
export function addRoute(node: ContextNode, options: RouteOptions): void {
  declare({
    node,
    options: { ...options },
    declared: { ...options },
    site: new CallSite(siteFrames),
    isAutomatic: false,
  });
}

function declare(declaration: Declaration): void {
  const { node } = declaration;
  withPlace(declaration, () => {
    if (node.app.isStarted || node.app.boot.isLoaded) throw new AlreadyStarted('Cannot add route!');
    addUrls(declaration);
  });
}

/** Adds the context, the route and the caller's file to the errors that a function throws. */
function withPlace({ node, options, declared, site }: Declaration, run: () => void): void {
  const where = (): ErrorPlace => {
    const route = `${[options.method].flat().join(',')} ${node.prefix}${declared.url ?? declared.path ?? ''}`;
    return { plugin: node.path, route, file: site.location };
  };
  withErrorPlace(run, where, node.app.translateError);
}

function addUrls(declaration: Declaration): void {
  const { node, options, declared } = declaration;
  const url = options.url || options.path || '';
  options.method = Array.isArray(options.method)
    ? options.method.map((method) => normalizeMethod(node, method))
    : normalizeMethod(node, options.method);
  checkRoute(options, url, node.methods, declaration.isAutomatic, node.app.compatibility);
  // What the check has removed from the options, because Fastify ignores it.
  for (const name of Object.keys(declared) as (keyof RouteOptions)[])
    if (options[name] === undefined) delete declared[name];
  for (const { path, isSecond } of pathsOf(node, options, url)) addUrl(declaration, path, isSecond);
}

function normalizeMethod({ methods }: ContextNode, method: unknown): string {
  if (typeof method !== 'string') throw new MethodInvalid();
  const upper = method.toUpperCase();
  if (!methods.has(upper)) throw new MethodUnsupported(upper);
  return upper;
}

/**
 * Registers one URL of a declaration. For `onRoute` hooks, the second URL of a prefix is the same route: both URLs share the
 * live options, so that what a plugin changes in them later applies to both.
 */
function addUrl(declaration: Declaration, path: string, isSecond: boolean): void {
  const { node, declared, site, isAutomatic } = declaration;
  const { app, prefix } = node;
  const live = completeOptions(node, declaration.options, path);
  const logLevels = (app.log as { levels?: { values?: Record<string, number> } }).levels?.values;
  const { logLevel } = live;
  if (logLevel && logLevels !== undefined && logLevels[logLevel] === undefined) {
    throw new RouteLogLevelInvalid(String(live.method), live.url, String(logLevel));
  }
  if (!isSecond && !isAutomatic) checkParameterNames(live.url, app.compatibility);
  const isDeferred = mustDeferOnRoute(node);
  const hooks = node.addedHooks('onRoute');
  const addedBy = isSecond ? undefined : callRouteHooks(node, live, hooks);
  if (!isDeferred) checkRouteHooks(live as unknown as Record<string, unknown>, app.compatibility);

  const methods = [live.method].flat();
  const exposesHead = live.exposeHeadRoute ?? app.options.exposeHeadRoutes;
  const hasHead = app.router.findDeclared('HEAD', live.url, live.constraints) !== null;
  const target = { handler: live.handler, plan: undefined };
  const publicUrl = isSecond ? prefix : live.url;
  const record: RouteRecord = {
    options: live,
    url: live.url,
    publicUrl,
    exposesHead,
    isAutomatic,
    target,
    site,
    step: node.app.boot.step,
    declared: isDeferred || hooks.length > 0 ? declared : undefined,
    addedBy,
    declaredSchema: undefined,
    settings: undefined,
  };
  if (!addToRouter(node, record)) return;
  node.routes.push(record);
  if (isDeferred && !isSecond) deferOnRoute(node, makeOnRouteRun(declaration, record));
  takeSettingsLater(node, record);
  if (exposesHead && !hasHead && methods.includes('GET') && !methods.includes('HEAD')) {
    const { onSend } = declared;
    // `null` means no hook. If an `onRoute` hook replaces it by a function, that is checked later, as on the GET route.
    const onSendHooks = onSend == null ? headReplyHook : [onSend, headReplyHook].flat();
    const head = { ...declared, method: 'HEAD', url: path, path, onSend: onSendHooks };
    declare({ node, options: head, declared: { ...head }, site, isAutomatic: true });
  }
}

/** @throws {ParameterDuplicated} if two parameters of a path have one name, because only the value of the last would be kept. */
function checkParameterNames(url: string, compatibility: Compatibility): void {
  const names = parameterNames(url);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  reportMistake(compatibility, new ParameterDuplicated(url, twice));
}

/**
 * Returns a function that runs further `onRoute` hooks on the route later. What they change in its options applies as if they had run at
 * once.
 */
function makeOnRouteRun(declaration: Declaration, record: RouteRecord): RunOnRoute {
  const { options: live, target, exposesHead } = record;
  const { url, path, routePath } = live;
  return (hooks) => {
    // The second URL of a prefix has written its own URL to the shared options.
    const last = { url: live.url, path: live.path, routePath: live.routePath };
    Object.assign(live, { url, path, routePath });
    const before = routerKeyOf(live);
    withPlace(declaration, () => {
      record.addedBy = callRouteHooks(declaration.node, live, hooks, record.addedBy);
      checkRouteHooks(live as unknown as Record<string, unknown>, declaration.node.app.compatibility);
      if ((live.exposeHeadRoute ?? exposesHead) !== exposesHead) throw new HeadRouteTooLate();
    });
    target.handler = live.handler;
    const hasMoved = routerKeyOf(live) !== before;
    if (hasMoved) record.url = record.publicUrl = live.url;
    if (last.url !== url) Object.assign(live, last);
    return hasMoved;
  };
}

/**
 * @returns Whether the route was added. An automatic HEAD route is not, if there is a declared one.
 * @throws {RouteDuplicated} {RouteInvalid}
 */
function addToRouter({ app }: ContextNode, record: RouteRecord): boolean {
  const { router } = app;
  const { options, url, target, isAutomatic } = record;
  const methods = [options.method].flat();
  try {
    router.add(options.method, url, options.constraints ?? {}, target);
    return true;
  } catch (error) {
    if (!isDuplicate(error, methods)) throw RouteInvalid.at({ cause: error }, (error as Error).message);
    if (isAutomatic) return false;
    const duplicated = RouteDuplicated.at({ cause: error }, methods.join(','), url);
    addFirst(duplicated, firstDeclaration(app, record, methods));
    throw duplicated;
  }
}

/** Finds the route that has the URL already. It may have been declared by another context, or for more methods. */
function firstDeclaration(
  { root, router }: AppState,
  { url, options }: RouteRecord,
  methods: readonly string[],
): DeclarationPlace | undefined {
  const stores = methods.map((method) => router.findDeclared(method, url, options.constraints)?.store);
  for (const node of nodeOf(root).descendants()) {
    const first = node.routes.find(({ target }) => stores.includes(target));
    if (first !== undefined) return { plugin: node.path, file: first.site.location };
  }
  return undefined;
}

/** Empties the router and adds the routes of all contexts again: find-my-way would also rebuild everything to remove one route. */
function rebuildRouter({ app }: ContextNode): void {
  app.router.clear();
  for (const node of nodeOf(app.root).descendants()) {
    const declared = node.routes.splice(0);
    for (const record of declared) if (addAgain(node, record)) node.routes.push(record);
  }
}

function addAgain(node: ContextNode, record: RouteRecord): boolean {
  const where = (): ErrorPlace => {
    const route = `${[record.options.method].flat().join(',')} ${record.url}`;
    return { plugin: node.path, route, file: record.site.location };
  };
  return withErrorPlace(() => addToRouter(node, record), where, node.app.translateError);
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

/** A key of the properties by which the router distinguishes routes. */
function routerKeyOf({ method, url, constraints }: RegisteredRoute): string {
  return JSON.stringify([
    method,
    url,
    Object.entries(constraints ?? {}).map(([name, value]) => [name, String(value)]),
  ]);
}

/** The URL `/` under a prefix stands for the prefix itself, with and without a slash at its end. */
function pathsOf(
  { prefix, app }: ContextNode,
  options: RouteOptions,
  url: string,
): { path: string; isSecond: boolean }[] {
  const first = (path: string) => [{ path, isSecond: false }];
  if (url !== '/' || prefix === '' || options.method === 'HEAD') {
    return first(url.startsWith('/') && prefix.endsWith('/') ? url.slice(1) : url);
  }
  if (options.prefixTrailingSlash === 'slash') return first(url);
  if (options.prefixTrailingSlash === 'no-slash') return first('');
  const isAccepted =
    app.options.ignoreTrailingSlash || (app.options.ignoreDuplicateSlashes && prefix.endsWith('/'));
  return isAccepted ? first('') : [...first(''), { path: url, isSecond: true }];
}

/** The settings of a context that a route takes over before the next plugin loads. What the context sets later does not change the route. */
export type RouteContextSettings = {
  readonly [Name in 'errorHandler' | 'replySerializer' | 'formatProblems' | 'errorFormat']:
    | ContextSettings[Name]
    | undefined;
} & { readonly childLoggerFactory: ChildLoggerFactory<Context> };

export interface RouteRecord {
  /** The live options, as `onRoute` hooks left them. */
  readonly options: RegisteredRoute;
  /** Its URL pattern in the router. The URL `/` under a prefix has two patterns, and a record for each. */
  url: string;
  /** The URL pattern that `request.routeOptions.url` shows. */
  publicUrl: string;
  readonly exposesHead: boolean;
  /** The HEAD route that goes with a GET route. */
  readonly isAutomatic: boolean;
  readonly target: RouteTarget;
  readonly site: CallSite;
  /** The step of boot that declared it. */
  readonly step: Step;
  /** The options as they were declared, if `onRoute` hooks may have changed them. */
  readonly declared: RouteOptions | undefined;
  /** The settings that it has taken from its context; `undefined` while what was registered before it has not loaded. */
  settings: RouteContextSettings | undefined;
  /** The functions that `onRoute` hooks have added to the options, each with its hook. */
  addedBy: AddedByHooks | undefined;
  /** The schema before boot completed it: what the route declared, or an `onRoute` hook put in its place. */
  declaredSchema: RouteSchema | undefined;
}

export interface NotFoundDetails {
  preValidation?: RequestHook | RequestHook[];
  preHandler?: RequestHook | RequestHook[];
  [detail: string]: unknown;
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

/** Runs further `onRoute` hooks on a route. Returns whether they changed its method, URL or constraints. */
export type RunOnRoute = (hooks: readonly AddedHook[]) => boolean;

interface DeferredRoute {
  readonly node: ContextNode;
  /** How many hooks had been added when the route was added: those have run. */
  readonly hooksSeen: number;
  readonly run: RunOnRoute;
}

/** Routes that were declared without a call of `register` or `after` between them: their hooks run together. */
interface Batch {
  readonly routes: DeferredRoute[];
  /** How many steps were registered when the batch was created. A route that is declared after a further step needs another batch. */
  readonly end: number;
}

const batches = new WeakMap<Step, Batch>();

/** Whether plugins that were registered before a route of this context have not loaded yet. */
function mustDeferOnRoute({ app }: ContextNode): boolean {
  return app.compatibility.onRouteFrom === 'register' && app.boot.step.unloaded > 0;
}

/** Runs the hooks on a route after everything that was registered so far has loaded, and before anything that is registered later loads. */
function deferOnRoute(node: ContextNode, run: RunOnRoute): void {
  const { boot } = node.app;
  const { step } = boot;
  const route = { node, hooksSeen: countAddedHooks(), run };
  const last = batches.get(step);
  if (last?.end === step.added) {
    last.routes.push(route);
    return;
  }
  const routes = [route];
  boot.after(node.app.root, () => {
    if (batches.get(step)?.routes === routes) batches.delete(step);
    runDeferred(step, routes);
  });
  batches.set(step, { routes, end: step.added });
}

function runDeferred(step: Step, routes: readonly DeferredRoute[]): void {
  let hasMoved = false;
  for (const { node, hooksSeen, run } of routes) {
    // Hooks that the step itself added after the route do not run on it.
    const isNew = (added: AddedHook): boolean => added.order >= hooksSeen && added.step !== step;
    if (run(node.addedHooks('onRoute').filter(isNew))) hasMoved = true;
  }
  if (hasMoved) rebuildRouter(routes[0]!.node);
}

/** The functions that hooks have added to a route, each with the hook's line and plugin. */
export type AddedByHooks = Map<unknown, Origin>;

const fields = [...requestHookNames, 'errorHandler', 'handler'] as const;

/**
 * @param addedBefore The functions that earlier hooks of the same route have added.
 * @returns `addedBefore` with the functions that these hooks have added; `undefined` if there are none, or if no tool has asked for them.
 */
function callRouteHooks(
  node: ContextNode,
  live: RegisteredRoute,
  hooks: readonly AddedHook[],
  addedBefore?: AddedByHooks,
): AddedByHooks | undefined {
  if (hooks.length === 0) return addedBefore;
  if (!isRecordingSites()) {
    for (const { hook } of hooks) hook.call(node.api, live as never);
    return addedBefore;
  }
  let addedBy = addedBefore;
  const seen = new Set(functionsOf(live));
  for (const { hook, site, step } of hooks) {
    hook.call(node.api, live as never);
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
  return fields.flatMap((name) => (live[name as keyof RegisteredRoute] as unknown) ?? []);
}
