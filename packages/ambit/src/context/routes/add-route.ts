/** Adds a route: checks its options, runs the `onRoute` hooks and adds it to the router (specification 2.1). */

import { CallSite } from '../../shared/call-site.ts';
import { type ErrorPlace, withErrorPlace } from '../../shared/error-place.ts';
import { parameterNames } from '../../shared/fill-path.ts';
import {
  AlreadyStarted,
  HeadRouteTooLate,
  MethodInvalid,
  MethodUnsupported,
  ParameterDuplicated,
  RouteLogLevelInvalid,
} from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { RouteOptions } from '../../types/route-options.ts';
import type { ContextNode } from '../context-node.ts';
import { checkRouteHooks } from '../hook-table.ts';
import { reportMistake } from '../options/check-options.ts';
import { addToRouter } from './add-to-router.ts';
import { callRouteHooks } from './call-route-hooks.ts';
import { checkRoute } from './check-route-options.ts';
import { deferOnRoute, mustDeferOnRoute, type RunOnRoute } from './deferred-on-route.ts';
import { headReplyHook } from './head-route.ts';
import { completeOptions, routerKeyOf } from './live-options.ts';
import { pathsOf } from './prefixed-paths.ts';
import type { RouteRecord } from './route-record.ts';
import { takeSettingsLater } from './take-settings.ts';

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
