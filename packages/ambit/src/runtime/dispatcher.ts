/** Finds the plan of each request: that of its route, or that of the not-found handler of its prefix. Replies if there is neither. */
import { createRequire } from 'node:module';
import { Router, type RouteTarget } from '../routing/router.ts';
import type { CodedError } from '../shared/define-error.ts';
import { parserMethods } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { isThenable } from '../shared/values.ts';
import type { Context } from '../types/context.ts';
import { ConstraintFailed, NotFound, ParamTooLong, RewriteNotString, UrlInvalid } from '../types/errors.ts';
import type { Exchange, Params, RequestId } from '../types/exchange.ts';
import type { ErrorTranslator } from '../types/flavor.ts';
import type { ErrorHandler } from '../types/hooks.ts';
import type { Logger } from '../types/logger.ts';
import type { AmbitOptions, RouterOptions as PublicRouterOptions } from '../types/options.ts';
import type { Plan } from '../types/plan.ts';
import type { Reply } from '../types/reply.ts';
import type { FoundRoute } from '../types/route-info.ts';
import type { RouteConstraints } from '../types/route-options.ts';
import { loadDevelopment } from './error-reply.ts';
import {
  ensureError,
  handlerEvents,
  log,
  publishFailure,
  requestChannel,
  requestIdText,
  respondEarly,
  setStatus,
  stepChannel,
  translateError,
} from './exchange.ts';
import { sendResult } from './handler.ts';
import { monitorRequest } from './request-monitor.ts';
import { cutOff, fail, startPath } from './run-steps.ts';

const require = createRequire(import.meta.url);

interface DispatcherHost {
  readonly rewriteUrl: AmbitOptions['rewriteUrl'] | undefined;
  readonly frameworkErrors: ErrorHandler | undefined;
  readonly translateError: ErrorTranslator;
  readonly isDevelopment: boolean;
  root(): Context;
  whenReady(): PromiseLike<unknown>;
}

export class Dispatcher {
  readonly router: Router;
  readonly #notFoundRouter: Router;
  readonly #host: DispatcherHost;
  /** A plan without hooks, for errors before a route is found; `undefined` until boot has compiled it. */
  #fallbackPlan: Plan | undefined;
  /** Creates the callback that gets errors of routing; only set if the application has an asynchronous constraint. */
  #makeRoutingCallback: ((x: Exchange) => (error: unknown) => void) | undefined;

  constructor(options: PublicRouterOptions, host: DispatcherHost) {
    const { defaultRoute, onBadUrl, onMaxParamLength, ...engineOptions } = options;
    this.#host = host;
    const rejectPath =
      (own: typeof onBadUrl, Problem: typeof UrlInvalid | typeof ParamTooLong) =>
      (path: string, x: Exchange): void =>
        own
          ? this.#handleRejection(x, own(path, x.rawRequest, x.rawResponse!))
          : this.#replyWithError(x, new Problem(path));
    const rejections = {
      onBadUrl: rejectPath(onBadUrl, UrlInvalid),
      onMaxParamLength: rejectPath(onMaxParamLength, ParamTooLong),
    };
    const handle = host.isDevelopment ? handleInDevelopment : handleRequest;
    this.router = new Router(handle, {
      ...engineOptions,
      ...rejections,
      onNotFound: (x) =>
        defaultRoute
          ? this.#handleRejection(x, defaultRoute(x.rawRequest, x.rawResponse!))
          : this.#notFoundRouter.route(x),
    });
    this.#notFoundRouter = new Router(handle, {
      ...rejections,
      onNotFound: (x) => this.#replyNotFound(x),
    });
  }

  /** From now on, requests can be routed. */
  open(fallbackPlan: Plan, compiles: boolean): void {
    this.#fallbackPlan = fallbackPlan;
    if (this.router.hasAsyncConstraints) {
      this.#makeRoutingCallback = (x) => (error) => error && this.#onAsyncRoutingError(x, error);
    }
    if (compiles) {
      this.router.compile();
      this.#notFoundRouter.compile();
    }
  }

  // HOT: once per request.
  /** Runs an exchange of any transport. One that comes before boot has compiled the routes waits. */
  readonly dispatch = (x: Exchange): void => {
    if (this.#fallbackPlan === undefined) {
      this.#host.whenReady().then(
        () => this.dispatch(x),
        (error) => cutOff(x, error),
      );
      return;
    }
    if (this.#host.rewriteUrl !== undefined && !this.#rewriteUrl(x)) return;
    try {
      this.router.route(x, this.#makeRoutingCallback?.(x));
    } catch (error) {
      this.#handleEarlyError(x, error);
    }
  };

  /** Creates a reply to a request that must not reach a route: no hooks run, and errors go to the error handlers of the root. */
  replyTo(x: Exchange): Reply {
    const fallbackPlan = this.#fallbackPlan!;
    createRequestAndReply(x, fallbackPlan, '', undefined, undefined, fallbackPlan.log);
    return x.reply;
  }

  /** Adds a not-found handler for a prefix and everything below it. */
  addNotFound(prefix: string, target: RouteTarget): void {
    const methods = [...parserMethods];
    const url = prefix || '/';
    this.#notFoundRouter.add(methods, url.endsWith('/') ? `${url}*` : `${url}/*`, {}, target);
    this.#notFoundRouter.add(methods, url, {}, target);
  }

  find(method: string, url: string, constraints?: RouteConstraints): FoundRoute | null {
    const match = this.router.findMatch(method, url, constraints);
    if (match === null) return null;
    const { store, params, searchParams = {} } = match;
    return { handler: store.handler, params: params as FoundRoute['params'], searchParams };
  }

  /** Sets the URL that the router uses. Returns false if the application's function failed; the exchange has ended then. */
  #rewriteUrl(x: Exchange): boolean {
    const { rewriteUrl, root, translateError } = this.#host;
    x.originalUrl = x.url;
    try {
      const url: unknown = rewriteUrl!.call(root(), x.rawRequest);
      if (typeof url === 'string') {
        x.url = url;
        return true;
      }
      x.destroy(translateError(new RewriteNotString(x.url, typeof url)));
    } catch (error) {
      this.#handleEarlyError(x, error);
    }
    return false;
  }

  /** Replies to an error that a function of the application threw before a route was found: `genReqId`, a constraint, … */
  #handleEarlyError(x: Exchange, error: unknown): void {
    // Uses no code of the application, because that code may be what failed.
    if ((x.reply as Reply | undefined) === undefined) {
      this.replyTo(x);
      traceUnrouted(x);
    }
    fail(x, error);
  }

  #handleRejection(x: Exchange, result: unknown): void {
    if (isThenable(result)) result.then(undefined, (error) => this.#handleEarlyError(x, ensureError(error)));
  }

  /** Routing continues in a later turn, in which no caller catches errors: those of the constraint, or of a later step. */
  #onAsyncRoutingError(x: Exchange, error: unknown): void {
    const isRouted = (x.reply as Reply | undefined) !== undefined;
    try {
      if (isRouted) fail(x, error);
      else this.#replyWithError(x, ConstraintFailed.at({ cause: error }));
    } catch (thrown) {
      this.#handleEarlyError(x, thrown);
    }
  }

  #createWithoutRoute(x: Exchange): void {
    const fallbackPlan = this.#fallbackPlan!;
    const id = fallbackPlan.makeRequestId(x);
    const log = fallbackPlan.makeLogger?.(x, requestIdText(id)) ?? fallbackPlan.log;
    createRequestAndReply(x, fallbackPlan, id, undefined, undefined, log);
    traceUnrouted(x);
    fallbackPlan.logWriter.incomingRequest(x.request, x.reply);
  }

  /** Replies to a method that node's parser does not know. It is only possible over HTTP/2, and no route or not-found handler has it. */
  #replyNotFound(x: Exchange): void {
    this.#createWithoutRoute(x);
    setStatus(x, 404);
    fail(x, new NotFound());
  }

  #replyWithError(x: Exchange, problem: CodedError): void {
    this.#createWithoutRoute(x);
    const error = translateError(x, problem);
    publishFailure(x, error);
    const { frameworkErrors } = this.#host;
    if (frameworkErrors !== undefined) {
      const { responseEpoch, status: statusBefore } = x;
      x.error = error;
      const result = frameworkErrors.call(x.plan.context, error, x.request, x.reply);
      sendResult(x, result, responseEpoch, { statusBefore, passOn: () => this.#respondWithError(x, error) });
    } else this.#respondWithError(x, error);
  }

  #respondWithError(x: Exchange, error: CodedError): void {
    const { statusCode, code, message } = error;
    if (!x.plan.logWriter.isLogDisabled(x.request)) log(x, 'info', { err: error }, message);
    respondEarly(x, statusCode, message, statusCode < 500 ? code : undefined);
  }
}

const loadTracing = lazyModule<typeof import('./tracing.ts')>(() => require('./tracing.ts'));

// HOT: once per request.
function handleRequest(x: Exchange, plan: Plan, params: Params | undefined, query: unknown): void {
  const id = plan.makeRequestId(x);
  const log = plan.makeLogger === undefined ? plan.log : plan.makeLogger(x, requestIdText(id));
  createRequestAndReply(x, plan, id, params, query, log);
  if (isTraced()) loadTracing().traceRequest(x, start);
  else start(x);
}

/** What requests of browsers that navigate do is recorded, because an error of theirs is answered with a page. */
const handleInDevelopment: typeof handleRequest = (x, plan, params, query) => {
  const isNavigation = x.requestHeader('sec-fetch-mode') === 'navigate';
  handleRequest(x, isNavigation ? loadDevelopment().recordedPlan(plan) : plan, params, query);
};

const tracedEvents = [
  requestChannel.start,
  requestChannel.asyncEnd,
  stepChannel.start,
  stepChannel.asyncEnd,
  requestChannel.end,
  requestChannel.asyncStart,
  requestChannel.error,
  ...handlerEvents,
];

// HOT: once per request. Bench: packages/opentelemetry/bench/cost.mjs.
/**
 * Whether any published event has subscribers. Not every runtime has `hasSubscribers` of a whole tracing channel. In workers with a
 * compatibility date before 2026-05-19, `hasSubscribers` is a method, and nothing is published.
 */
function isTraced(): boolean {
  for (const event of tracedEvents) if (event.hasSubscribers === true) return true;
  return false;
}

/** Publishes a request that reaches no route. It runs no steps before its response. */
function traceUnrouted(x: Exchange): void {
  if (isTraced()) loadTracing().traceRequest(x, () => {});
}

function start(x: Exchange): void {
  const { plan } = x;
  if (plan.server.isClosing && rejectWhileClosing(x)) return;
  if (plan.logsIncoming) plan.logWriter.incomingRequest(x.request, x.reply);
  if (plan.tracksCompletion || plan.steps.onRequestAbort.length > 0) monitorRequest(x);
  startPath(x, plan.steps.request);
}

/** Sets the plan, the request and the reply of an exchange. Runs no steps. */
function createRequestAndReply(
  x: Exchange,
  plan: Plan,
  id: RequestId,
  params: Params | undefined,
  query: unknown,
  log: Logger,
): void {
  x.plan = plan;
  x.request = new plan.Request(x, id, params, query, log);
  x.reply = new plan.Reply(x, x.request, log);
}

/** While the server closes, connections are not kept open, and new requests are rejected unless the options say otherwise. */
function rejectWhileClosing(x: Exchange): boolean {
  const { plan } = x;
  const { mayStayOpen, isDraining, return503OnClosing } = plan.server;
  if (mayStayOpen?.(x) === true) return false;
  x.closeAfterResponse();
  if (isDraining || !return503OnClosing || plan.servesWhileClosing) return false;
  respondEarly(x, 503, 'Service Unavailable', undefined);
  plan.logWriter.serviceUnavailable(x.log, plan.context);
  return true;
}

// V8 stores small integers without an allocation. At a thousand requests per second, they last for 25 days, and then start again.
const largestSmallInteger = 2_147_483_647;

export function makeRequestNumbers(): () => number {
  let last = 0;
  return () => {
    last = (last + 1) & largestSmallInteger;
    return last;
  };
}
