/** Routes each exchange: to the plan of its route, to the not-found plan of its URL space, or to an error of its own. */
import type { ErrorHandler, PrintRoutesOptions } from '../contract/context.ts';
import { ConstraintFailed, ParamTooLong, UrlInvalid } from '../contract/errors.ts';
import type { Exchange, Params, Plan } from '../contract/exchange.ts';
import type { RouterOptions as PublicRouterOptions } from '../contract/options.ts';
import { parserMethods, statusText } from '../kit/http-facts.ts';
import { Router, type RouteTarget } from '../routing/router.ts';
import { arrange, begin } from './begin.ts';

/** The plans for what is no route, known once boot has compiled them. */
export interface FallbackPlans {
  /** The root's not-found plan, for methods that no URL space knows. */
  readonly notFound: Plan;
  /** A plan without hooks, for errors that arise before there is a route. */
  readonly bare: Plan;
}

export class FrontDoor {
  readonly router: Router;
  readonly #notFoundRouter: Router;
  readonly #frameworkErrors: ErrorHandler | undefined;
  #fallback: FallbackPlans | undefined;
  #onConstraint: ((x: Exchange) => (error: unknown) => void) | undefined;

  constructor(options: PublicRouterOptions, frameworkErrors: ErrorHandler | undefined) {
    const { defaultRoute, onBadUrl, onMaxParamLength, ...engineOptions } = options;
    this.#frameworkErrors = frameworkErrors;
    const badUrl = (path: string, x: Exchange): void =>
      onBadUrl ? onBadUrl(path, x.rawRequest, x.rawResponse) : this.#refuse(x, new UrlInvalid(path));
    const tooLong = (path: string, x: Exchange): void =>
      onMaxParamLength ? onMaxParamLength(path, x.rawRequest, x.rawResponse) : this.#refuse(x, new ParamTooLong(path));
    this.router = new Router(begin, {
      ...(engineOptions as object),
      onNotFound: (x) =>
        defaultRoute ? defaultRoute(x.rawRequest, x.rawResponse) : this.#notFoundRouter.route(x),
      onBadUrl: badUrl,
      onMaxParamLength: tooLong,
    });
    this.#notFoundRouter = new Router(begin, {
      onNotFound: (x) => begin(x, this.#fallback!.notFound, undefined, undefined),
      onBadUrl: badUrl,
      onMaxParamLength: tooLong,
    });
  }

  /** Opens: from here on exchanges find their plans. */
  open(fallback: FallbackPlans, compiles: boolean): void {
    this.#fallback = fallback;
    if (this.router.hasAsyncConstraints) {
      this.#onConstraint = (x) => (error) => error && this.#refuse(x, ConstraintFailed.at({ cause: error }));
    }
    if (compiles) {
      this.router.compile();
      this.#notFoundRouter.compile();
    }
  }

  get isOpen(): boolean {
    return this.#fallback !== undefined;
  }

  // HOT: once per request.
  accept(x: Exchange): void {
    this.router.route(x, this.#onConstraint?.(x));
  }

  /** Adds the URL space of a not-found handler: a prefix and everything below it. */
  addNotFound(prefix: string, target: RouteTarget): void {
    const methods = [...parserMethods];
    const url = prefix || '/';
    this.#notFoundRouter.add(methods, url.endsWith('/') ? `${url}*` : `${url}/*`, {}, target);
    this.#notFoundRouter.add(methods, url, {}, target);
  }

  print(options: PrintRoutesOptions): string {
    return this.router.print(options);
  }

  #refuse(x: Exchange, error: Error & { statusCode: number; code: string }): void {
    if (this.#frameworkErrors !== undefined) {
      const { bare } = this.#fallback!;
      const id = bare.makeRequestId(x.rawRequest);
      arrange(x, bare, id, undefined as Params | undefined, undefined, bare.makeLogger?.(x.rawRequest, id) ?? bare.log);
      bare.logLines.incomingRequest(x.request, x.reply);
      this.#frameworkErrors.call(bare.context, error, x.request, x.reply);
      return;
    }
    const { statusCode, code, message } = error;
    const isOurs = statusCode >= 500;
    const body = JSON.stringify({ error: statusText(statusCode), ...(!isOurs && { code }), message, statusCode });
    x.writeHead(statusCode, {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    });
    x.end(body);
  }
}
