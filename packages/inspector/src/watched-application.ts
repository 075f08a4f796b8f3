/**
 * The data that the page shows: the model of the application, its last requests, the changes by its serializers, and what the process uses.
 * Under `ambit dev`, also the requests of the processes before, and the error of the last save.
 */
import { randomUUID } from 'node:crypto';
import { type DevelopmentSession, developmentSession, Redactor } from '@ambit/readable';
import { type Context, type SerializationChange, watchRequests, watchSerialization } from 'ambit';
import { type InspectedApplication, inspectBooted } from './inspect.ts';
import type { RanStep, RequestModel, RouteModel } from './model.ts';
import type { InspectorOptions } from './options.ts';
import { ProcessSamples } from './process-samples.ts';
import { RequestLog, type RoutePattern } from './request-log.ts';

export class WatchedApplication {
  /** Identifies the process. */
  readonly id: string = randomUUID();
  readonly requests: RequestLog;
  readonly process: ProcessSamples;
  /** What `ambit dev` tells; `undefined` without it. */
  readonly session: DevelopmentSession | undefined = developmentSession();
  /** The revision of the log at which the requests of earlier processes have arrived. */
  #foundAt = 0;
  readonly #maxBytes: number;
  readonly #root: Context;
  readonly #changes = new Map<string, SerializationChange[]>();
  #inspected: InspectedApplication | undefined;
  #routeIds: Map<unknown, Map<string, number>> | undefined;

  constructor(root: Context, page: string, { maxRequestBytes = 1024 * 1024, redact }: InspectorOptions) {
    this.#root = root;
    this.#maxBytes = maxRequestBytes;
    this.requests = new RequestLog(maxRequestBytes, new Redactor(redact), page);
    watchRequests(root, this.requests);
    watchSerialization(root, (change) => this.#addChange(change));
    const change = (): number => this.requests.change();
    this.process = new ProcessSamples(change, () => this.requests.runningCount);
    this.session?.onChange(() => {
      this.#foundAt = change();
    });
  }

  /** Leaves the requests for the next process. */
  close(): void {
    this.process.stop();
    const { session } = this;
    if (session !== undefined)
      leaveRequests(session, this.requestsAfter(0), this.inspected.model.routes, this.#maxBytes);
  }

  /** Created at the first request for the page, so that it does not delay boot. */
  get inspected(): InspectedApplication {
    this.#inspected ??= inspectBooted(this.#root);
    return this.#inspected;
  }

  changesOf(id: number): readonly SerializationChange[] {
    const { methods, url } = this.inspected.model.routes[id]!;
    return this.#changes.get(`${methods} ${url}`) ?? [];
  }

  #addChange(change: SerializationChange): void {
    const key = `${change.method} ${change.url}`;
    const changes = this.#changes.get(key);
    const redactedChange = redactChange(change);
    if (changes === undefined) this.#changes.set(key, [redactedChange]);
    else changes.push(redactedChange);
  }

  /**
   * The stored requests, in the order of arrival.
   *
   * @param after Only requests that have changed after this revision are returned.
   */
  requestsAfter(after: number): RequestModel[] {
    const own = this.requests
      .list(after, (pattern) => this.#routeOf(pattern))
      .map((request) => ({ ...request, steps: this.#locate(request) }));
    const isNew = this.session !== undefined && this.#foundAt > after;
    return isNew ? [...findRequests(this.session, this.inspected.model.routes), ...own] : own;
  }

  /** Adds what only the model knows of the steps that ran: the lines, and which function is the handler. */
  #locate({ route, steps }: RequestModel): RanStep[] {
    const { model } = this.inspected;
    const planned = route === null ? [] : model.stepLists[model.routes[route]!.steps]!;
    const known = new Map(
      planned.map((id) => model.steps[id]!).map((step) => [`${step.path} ${step.index}`, step]),
    );
    return steps.map((step) => {
      const { function: name = null, file = null } = known.get(`${step.path} ${step.index}`) ?? {};
      return { ...step, function: step.function ?? name, file };
    });
  }

  #routeOf({ method, url, handler }: RoutePattern): number | null {
    this.#routeIds ??= this.#numberRoutes();
    return this.#routeIds.get(handler)?.get(`${method} ${url}`) ?? null;
  }

  #numberRoutes(): Map<unknown, Map<string, number>> {
    const ids = new Map<unknown, Map<string, number>>();
    this.inspected.routes.forEach(({ options: { handler }, method, url }, id) => {
      const byPattern = ids.get(handler) ?? new Map<string, number>();
      ids.set(handler, byPattern.set(`${method} ${url}`, id));
    });
    return ids;
  }
}

/** The name of this package in what tools leave for the next process. */
const tool = '@ambit/inspector';

/** A request, and its route by the text that both processes know. */
interface LeftRequest {
  readonly request: RequestModel;
  readonly route: string | null;
}

/**
 * Leaves the last requests for the next process.
 *
 * @param requests In the order of arrival.
 * @param maxBytes How long the text may be. The oldest requests are left out.
 */
function leaveRequests(
  session: DevelopmentSession,
  requests: readonly RequestModel[],
  routes: readonly RouteModel[],
  maxBytes: number,
): void {
  const texts: string[] = [];
  let bytes = 0;
  for (const request of requests.toReversed()) {
    const route = request.route === null ? null : keyOf(routes[request.route]!);
    const state = request.state === 'running' ? 'broken' : request.state;
    const text = JSON.stringify({ request: { ...request, state }, route } satisfies LeftRequest);
    bytes += text.length;
    if (bytes > maxBytes) break;
    texts.push(text);
  }
  session.left[tool] = `[${texts.reverse().join(',')}]`;
}

/** The requests that were left, in the order of arrival. Their numbers count up to -1. */
function findRequests(
  { found }: Pick<DevelopmentSession, 'found'>,
  routes: readonly RouteModel[],
): RequestModel[] {
  const left = JSON.parse(found[tool] ?? '[]') as LeftRequest[];
  const ids = new Map(routes.map((route) => [keyOf(route), route.id]));
  return left.map(({ request, route }, i) => ({
    ...request,
    number: i - left.length,
    route: route === null ? null : (ids.get(route) ?? null),
  }));
}

function keyOf({ methods, url, constraints }: RouteModel): string {
  return `${methods} ${url} ${constraints}`;
}

/** The maximum length of a stored path, because property names may have any length. */
const maxPath = 200;

/** A change without its value, because values of payloads are not stored. The serializer reports a change at most 100 times. */
function redactChange(change: SerializationChange): SerializationChange {
  const { kind, path, message } = change;
  return {
    ...change,
    // Creates a new string, because a substring would keep the long string in memory.
    path: path.length > maxPath ? JSON.parse(JSON.stringify(`${path.slice(0, maxPath)}…`)) : path,
    message: kind === 'coerced' ? describeCoercion(message) : message,
  };
}

/** `string "42" was written as 42` becomes `string was written as a number`. */
function describeCoercion(message: string): string {
  const between = ' was written as ';
  const written = message.slice(message.lastIndexOf(between) + between.length);
  const target = /^(?:null|\{\}|an object|an array)$/.test(written)
    ? written
    : /^-?\d/.test(written)
      ? 'a number'
      : /^(?:true|false)$/.test(written)
        ? 'a boolean'
        : 'another text';
  return `${message.split(' ', 1)}${between}${target}`;
}
