/** Owns find-my-way: routes go in with a target, exchanges come out at the target's plan. */
import FindMyWay from 'find-my-way';
import type { Exchange, Params } from '../contract/exchange.ts';
import type { Handler } from '../contract/handlers.ts';
import type { RouterOptions as PublicRouterOptions } from '../contract/options.ts';
import type { Plan } from '../contract/plan.ts';
import type { ConstraintStrategy, RouteConstraints } from '../contract/route-constraints.ts';
import type { PrintRoutesOptions } from '../contract/route-info.ts';
import { canonicalPath, type PathOptions } from './canonical-path.ts';
import { replaceGeneratedCode } from './without-codegen.ts';

/** What a route leads to. The plan is there once boot has compiled it. */
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

/** The application's router options, with exchanges where it has node's objects. */
export interface RouterOptions
  extends Omit<PublicRouterOptions, 'defaultRoute' | 'onBadUrl' | 'onMaxParamLength'> {
  onNotFound: (exchange: Exchange) => void;
  onBadUrl: (path: string, exchange: Exchange) => void;
  onMaxParamLength: (path: string, exchange: Exchange) => void;
}

/** A route as find-my-way gives it back. */
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

/** The part of find-my-way that we use; its own types are bound to `node:http`. */
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
  readonly constrainer: { asyncStrategiesInUse: Set<string> };
}

export class Router {
  readonly #engine: Engine;
  readonly #forward: Forward;
  readonly #pathOptions: PathOptions;

  constructor(dispatch: Dispatch, { onNotFound, onBadUrl, onMaxParamLength, ...options }: RouterOptions) {
    const engineOptions = {
      ...options,
      ...(options.constraints && { constraints: readingRaw(options.constraints) }),
      defaultRoute: (_request: unknown, exchange: Exchange) => onNotFound(exchange),
      onBadUrl: (path: string, _request: unknown, exchange: Exchange) => onBadUrl(path, exchange),
      onMaxParamLength: (path: string, _request: unknown, exchange: Exchange) =>
        onMaxParamLength(path, exchange),
    };
    this.#pathOptions = options;
    replaceGeneratedCode();
    this.#engine = (FindMyWay as unknown as (options: object) => Engine)(engineOptions);
    this.#forward = (_request, exchange, params, target, query) =>
      dispatch(exchange, target.plan!, params, query);
  }

  /** @throws {Error} when the URL is malformed, or the route is there already: see `isDuplicate`. */
  add(methods: string | string[], url: string, constraints: RouteConstraints, target: RouteTarget): void {
    this.#engine.on(methods, url, { constraints }, this.#forward, target);
  }

  /** Takes all routes out. */
  clear(): void {
    this.#engine.reset();
  }

  // HOT: once per request. Find-my-way reads `method`, `url` and `headers`: an exchange has them.
  /** Routes an exchange; a constraint that fails asynchronously is reported to `onConstraintError`. */
  route(exchange: Exchange, onConstraintError?: (error: unknown) => void): void {
    this.#engine.lookup(exchange, exchange, onConstraintError);
  }

  has(method: string, url: string, constraints?: RouteConstraints): boolean {
    return this.#engine.hasRoute(method, url, constraints);
  }

  /** The route declared under exactly this pattern. */
  declared(method: string, url: string, constraints?: RouteConstraints): RouterMatch | null {
    return this.#engine.findRoute(method, url, constraints);
  }

  /** The route that a request for this URL would reach. */
  match(method: string, url: string, constraints?: RouteConstraints): RouterMatch | null {
    return this.#engine.find(method, url, constraints);
  }

  /** The path that is compared for this URL, however it is spelled. */
  canonicalPath(url: string): string {
    return canonicalPath(url, this.#pathOptions);
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

  /** Turns the trees into generated code; only worth it once all routes are in. */
  compile(): void {
    this.#engine.compile();
  }
}

/** Whether the router refused a route because the same one is declared already. */
export function isDuplicate(error: unknown, methods: string | string[]): boolean {
  const text = error instanceof Error ? error.message : '';
  return [methods].flat().some((method) => text.includes(`Method '${method}' already declared for route`));
}

type Strategies = NonNullable<RouterOptions['constraints']>;
type Derive = (request: unknown, context: unknown, done?: unknown) => unknown;

function readingRaw(strategies: Strategies): Strategies {
  const entries = Object.entries(strategies as Record<string, ConstraintStrategy>);
  return Object.fromEntries(entries.map(([name, strategy]) => [name, withRawRequest(strategy)]));
}

/** A strategy of the application's is given node's request, which is asked for here and nowhere else on the way to a route. */
function withRawRequest(strategy: ConstraintStrategy): ConstraintStrategy {
  const { deriveConstraint } = strategy;
  if (typeof deriveConstraint !== 'function') return strategy;
  const derive = deriveConstraint as Derive;
  // Find-my-way tells by the number of parameters who reports by a callback.
  const wrapped =
    derive.length === 3
      ? (x: Exchange, context: unknown, done: unknown) => derive.call(strategy, x.rawRequest, context, done)
      : (x: Exchange, context: unknown) => derive.call(strategy, x.rawRequest, context);
  return Object.create(strategy, { deriveConstraint: { value: wrapped, writable: true } });
}
