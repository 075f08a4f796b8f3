/** Wraps find-my-way: stores each route with its target, and runs exchanges with the plan of the target. */
import { createRequire } from 'node:module';
import FindMyWay from 'find-my-way';
import { mayGenerateCode } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { attempt } from '../shared/thrown-values.ts';
import type { Exchange, Params } from '../types/exchange.ts';
import type { Handler } from '../types/hooks.ts';
import type { RouterOptions as PublicRouterOptions } from '../types/options.ts';
import type { Plan } from '../types/plan.ts';
import type { PrintRoutesOptions } from '../types/route-info.ts';
import type { ConstraintStrategy, RouteConstraints } from '../types/route-options.ts';

const require = createRequire(import.meta.url);

const loadReplacements = lazyModule<typeof import('./without-codegen.ts')>(() =>
  require('./without-codegen.ts'),
);

/** What the router stores for a route. The plan is set when boot has compiled it. */
export interface RouteTarget {
  handler: Handler;
  plan: Plan | undefined;
}

/** Runs an exchange that was routed. */
export type Dispatch = (
  exchange: Exchange,
  plan: Plan,
  params: Params,
  query: Record<string, string>,
) => void;

/** The router options of the application, whose functions get exchanges instead of node's objects. */
export interface RouterOptions
  extends Omit<PublicRouterOptions, 'defaultRoute' | 'onBadUrl' | 'onMaxParamLength'> {
  onNotFound: (exchange: Exchange) => void;
  onBadUrl: (path: string, exchange: Exchange) => void;
  onMaxParamLength: (path: string, exchange: Exchange) => void;
}

/** A route as find-my-way returns it. */
export interface RouterMatch {
  store: RouteTarget;
  params: Params | string[];
  searchParams?: Record<string, string>;
}

type Forward = (
  req: unknown,
  exchange: Exchange,
  params: Params,
  target: RouteTarget,
  query: Record<string, string>,
) => void;

/** The part of find-my-way that we use, because its own types depend on `node:http`. */
interface Engine {
  on(methods: string | string[], url: string, options: object, handler: Forward, target: RouteTarget): void;
  lookup(request: Exchange, exchange: Exchange, done?: (error: unknown) => void): void;
  find(method: string, url: string, constraints?: object): RouterMatch | null;
  findRoute(method: string, url: string, constraints?: object): RouterMatch | null;
  hasRoute(method: string, url: string, constraints?: object): boolean;
  addConstraintStrategy(strategy: ConstraintStrategy): void;
  hasConstraintStrategy(name: string): boolean;
  prettyPrint(options?: object): string;
  compile(): unknown;
  reset(): void;
  readonly constrainer: { strategiesInUse: Set<string>; asyncStrategiesInUse: Set<string> };
}

export class Router {
  readonly #engine: Engine;
  readonly #forward: Forward;
  readonly #pathOptions: PublicRouterOptions;

  constructor(dispatch: Dispatch, { onNotFound, onBadUrl, onMaxParamLength, ...options }: RouterOptions) {
    const engineOptions = {
      ...options,
      ...(options.constraints && { constraints: withRawRequests(options.constraints) }),
      defaultRoute: (_request: unknown, exchange: Exchange) => onNotFound(exchange),
      onBadUrl: (path: string, _request: unknown, exchange: Exchange) => onBadUrl(path, exchange),
      onMaxParamLength: (path: string, _request: unknown, exchange: Exchange) =>
        onMaxParamLength(path, exchange),
    };
    this.#pathOptions = options;
    if (!mayGenerateCode()) loadReplacements().replaceGeneratedCode();
    this.#engine = (FindMyWay as unknown as (options: object) => Engine)(engineOptions);
    this.#forward = (_request, exchange, params, target, query) =>
      dispatch(exchange, target.plan!, params, query);
  }

  /** @throws {Error} if the URL is malformed, or if the route exists already: see `isDuplicate`. */
  add(methods: string | string[], url: string, constraints: RouteConstraints, target: RouteTarget): void {
    this.#engine.on(methods, url, { constraints }, this.#forward, target);
  }

  /** Removes all routes. */
  clear(): void {
    this.#engine.reset();
  }

  // HOT: once per request. The exchange is passed as the request, because it has `method`, `url` and `headers`, which find-my-way reads.
  /** Routes an exchange. The error of a constraint that fails asynchronously is passed to `onConstraintError`. */
  route(exchange: Exchange, onConstraintError?: (error: unknown) => void): void {
    this.#engine.lookup(exchange, exchange, onConstraintError);
  }

  has(method: string, url: string, constraints?: RouteConstraints): boolean {
    return this.#engine.hasRoute(method, url, constraints);
  }

  /** Returns the route that was declared with exactly this pattern. */
  findDeclared(method: string, url: string, constraints?: RouteConstraints): RouterMatch | null {
    return this.#engine.findRoute(method, url, constraints);
  }

  /** Returns the route that matches a request for this URL. */
  findMatch(method: string, url: string, constraints?: RouteConstraints): RouterMatch | null {
    return this.#engine.find(method, url, constraints);
  }

  /**
   * Returns the path of a URL as the router compares it: it is the same for all spellings, so that guards can compare it, too. A path that
   * cannot be decoded matches no route, and is returned as received.
   */
  canonicalPath(url: string): string {
    const { useSemicolonDelimiter, ignoreDuplicateSlashes, ignoreTrailingSlash, caseSensitive } =
      this.#pathOptions;
    let path = decodePath(pathOf(url, useSemicolonDelimiter));
    if (ignoreDuplicateSlashes) path = path.replaceAll(/\/\/+/g, '/');
    if (ignoreTrailingSlash && path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
    return caseSensitive === false ? path.toLowerCase() : path;
  }

  addConstraint(strategy: ConstraintStrategy): void {
    this.#engine.addConstraintStrategy(withRawRequest(strategy));
  }

  hasConstraint(name: string): boolean {
    return this.#engine.hasConstraintStrategy(name);
  }

  get hasAsyncConstraints(): boolean {
    return this.#engine.constrainer.asyncStrategiesInUse.size > 0;
  }

  print(options: PrintRoutesOptions): string {
    return this.#engine.prettyPrint(options);
  }

  /** Generates code for the routing trees. Must be called after all routes were added. */
  compile(): void {
    this.#engine.compile();
  }
}

/** Whether the router rejected a route because the same one is already declared. */
export function isDuplicate(error: unknown, methods: string | string[]): boolean {
  const text = error instanceof Error ? error.message : '';
  return [methods].flat().some((method) => text.includes(`Method '${method}' already declared for route`));
}

type Strategies = NonNullable<RouterOptions['constraints']>;
type Derive = (request: unknown, context: unknown, done?: unknown) => unknown;

function withRawRequests(strategies: Strategies): Strategies {
  const entries = Object.entries(strategies as Record<string, ConstraintStrategy>);
  return Object.fromEntries(entries.map(([name, strategy]) => [name, withRawRequest(strategy)]));
}

/** Passes node's request to a strategy of the application. Nothing else in routing reads it, so it is only created for such strategies. */
function withRawRequest(strategy: ConstraintStrategy): ConstraintStrategy {
  const { deriveConstraint } = strategy;
  if (typeof deriveConstraint !== 'function') return strategy;
  const derive = deriveConstraint as Derive;
  // find-my-way uses the number of parameters to decide whether a strategy has a callback.
  const wrapped =
    derive.length === 3
      ? (x: Exchange, context: unknown, done: unknown) => derive.call(strategy, x.rawRequest, context, done)
      : (x: Exchange, context: unknown) => derive.call(strategy, x.rawRequest, context);
  return Object.create(strategy, { deriveConstraint: { value: wrapped, writable: true } });
}

/** The first part of a target in absolute form (RFC 9112, 3.2.2). */
const origin = /^https?:\/\/[^/?#]*/i;

/** The path in a URL, without the query string. */
function pathOf(target: string, useSemicolonDelimiter: boolean | undefined): string {
  const local = target.startsWith('/') ? target : target.replace(origin, '');
  const end = local.search(useSemicolonDelimiter ? /[?#;]/ : /[?#]/);
  return (end === -1 ? local : local.slice(0, end)) || '/';
}

/** Decodes a path. `%` and characters that separate the parts of a URL stay encoded; otherwise, two different paths could become equal. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path;
  return attempt(() => decodeURI(path.replaceAll('%25', '%2525'))) ?? path;
}
