/** Stores the last requests that have ended, with the time of each step, in a limited number of bytes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Redactor, RequestDescription } from '@ambit/readable';
import type { Reply, Request, RequestWatcher, RunningStep } from 'ambit';
import { isOwnContext } from './inspect.ts';
import type { RanStep, RequestModel } from './model.ts';
import { functionName } from './safe-value.ts';

/** The maximum number of steps that are stored for one request, because a not-found handler may run a path again. */
const maxSteps = 200;
/** The maximum number of stored steps after the end of the request: `onResponse` hooks. */
const maxLateSteps = 20;
/** The approximate memory of an entry and of one of its steps, without strings. */
const entryBytes = 400;
const stepBytes = 32;

/** How long to wait after a request has ended, so that late steps and further requests are sent together. */
const batchDelayMs = 50;

/** One request, while it runs and after its end. */
interface Entry {
  number: number;
  readonly startedAtMs: number;
  readonly at: number;
  readonly starts: StepStart[];
  /** How many steps may be stored. */
  maxStarts: number;
  endedAtMs: number;
  isFinished: boolean;
  /** The values of parameters that must not be stored. */
  readonly secrets: readonly string[];
  /** The stored data of the request after its end. */
  summary: Summary | undefined;
}

interface Summary {
  readonly pattern: RoutePattern | undefined;
  /** The fields as JSON. This is a new string, because a substring of a header would keep the whole header in memory. */
  readonly json: string;
  readonly bytes: number;
}

/** The fields in the JSON of a summary. */
type SummaryFields = Pick<RequestModel, 'id' | 'method' | 'url' | 'status' | 'headers'>;

/** The fields that identify a route. */
export interface RoutePattern {
  readonly method: string | string[];
  readonly url: string;
  readonly handler: unknown;
}

export class RequestLog implements RequestWatcher {
  readonly #maxBytes: number;
  readonly #redactor: Redactor;
  /** The address of the page. */
  readonly #page: string;
  /** The running requests. An entry that never ends is collected together with its request. */
  readonly #running = new WeakMap<Request, Entry>();
  /** Requests of the page itself. */
  readonly #own = new WeakSet<Request>();
  #ended: Entry[] = [];
  #bytes = 0;
  #lastNumber = 0;
  /** Functions that resolve the promises of `nextEnd`. */
  readonly #waiters = new Set<() => void>();

  constructor(maxBytes: number, redactor: Redactor, page: string) {
    this.#maxBytes = maxBytes;
    this.#page = page;
    this.#redactor = redactor;
  }

  onStep(request: Request, step: RunningStep): void {
    let entry = this.#running.get(request);
    if (entry === undefined) {
      // This must be checked at the first step, because a request that the guard rejects continues with the application's not-found
      // handler.
      if (isOwnContext(request.server)) this.#own.add(request);
      const startedAtMs = performance.now();
      entry = {
        number: 0,
        startedAtMs,
        at: Date.now(),
        starts: [],
        maxStarts: maxSteps,
        endedAtMs: 0,
        isFinished: false,
        secrets: this.#redactor.secretsOf(request.params),
        summary: undefined,
      };
      this.#running.set(request, entry);
    }
    if (entry.starts.length < entry.maxStarts) entry.starts.push({ step, startMs: performance.now() });
  }

  onEnd(request: Request, reply: Reply): void {
    this.#end(request, reply, true);
  }

  onAbort(request: Request, reply: Reply): void {
    this.#end(request, reply, false);
  }

  describe(request: Request): RequestDescription {
    const { originalUrl: url, headers } = request;
    const entry = this.#running.get(request);
    return {
      page: this.#page,
      url: this.#redactor.url({ url, headers }, entry?.secrets ?? []),
      headers: this.#redactor.headers({ url, headers }),
      steps: entry === undefined ? [] : timeSteps({ ...entry, endedAtMs: performance.now() }),
    };
  }

  #end(request: Request, reply: Reply, isFinished: boolean): void {
    const entry = this.#running.get(request);
    if (entry === undefined || entry.summary !== undefined || this.#own.has(request)) return;
    entry.endedAtMs = performance.now();
    entry.isFinished = isFinished;
    entry.summary = this.#summarize(request, reply, entry);
    entry.maxStarts = entry.starts.length + maxLateSteps;
    const { bytes } = entry.summary;
    if (bytes > this.#maxBytes) return;
    entry.number = ++this.#lastNumber;
    this.#ended.push(entry);
    this.#bytes += bytes;
    let dropped = 0;
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#ended[dropped++]!.summary!.bytes;
    if (dropped > 0) this.#ended = this.#ended.slice(dropped);
    for (const wake of this.#waiters) wake();
  }

  #summarize(request: Request, reply: Reply, { isFinished, starts, secrets }: Entry): Summary {
    const { id, method, routeOptions, is404, originalUrl: url, headers } = request;
    const fields: SummaryFields = {
      id: String(id).slice(0, 200),
      method,
      url: this.#redactor.url({ url, headers }, secrets),
      status: isFinished ? reply.statusCode : 0,
      headers: this.#redactor.headers({ url, headers }),
    };
    const json = JSON.stringify(fields);
    const { method: methods, url: pattern, handler } = routeOptions as RoutePattern;
    return {
      json,
      pattern: is404 || pattern === undefined ? undefined : { method: methods, url: pattern, handler },
      bytes: entryBytes + 2 * json.length + stepBytes * (starts.length + maxLateSteps),
    };
  }

  /**
   * Resolves soon after the next request has ended.
   *
   * @param signal Ends the waiting as well.
   */
  async nextEnd(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#waiters.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiters.add(wake);
      signal.addEventListener('abort', wake);
    });
    await wait(batchDelayMs, undefined, { signal, ref: false }).catch(() => {});
  }

  /** The maximum number of bytes that the stored requests use. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The stored requests, the oldest first.
   *
   * @param after Only requests with a greater number are returned.
   * @param routeOf Finds the id of a route.
   */
  list(after: number, routeOf: (pattern: RoutePattern) => number | null): RequestModel[] {
    return this.#ended
      .filter(({ number }) => number > after)
      .map((entry): RequestModel => {
        const { pattern, json } = entry.summary!;
        return {
          ...(JSON.parse(json) as SummaryFields),
          number: entry.number,
          route: pattern === undefined ? null : routeOf(pattern),
          at: entry.at,
          ms: roundMs(entry.endedAtMs - entry.startedAtMs),
          steps: timeSteps(entry),
          isFinished: entry.isFinished,
        };
      });
  }
}

/** The start of a step. */
export interface StepStart {
  readonly step: RunningStep;
  readonly startMs: number;
}

/** The recorded times of a request. */
export interface TimedRequest {
  readonly starts: readonly StepStart[];
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/** A step lasts until the next one begins; the last one before the end lasts until the end. */
function timeSteps({ starts, startedAtMs, endedAtMs }: TimedRequest): RanStep[] {
  return starts.map(({ step, startMs }, i) => {
    const next = starts[i + 1]?.startMs ?? endedAtMs;
    const endMs = startMs <= endedAtMs ? Math.min(next, endedAtMs) : next;
    return {
      path: step.path,
      index: step.index,
      name: step.name,
      function: functionName(step.function, step.name),
      // The log knows no routes: the line is added when the request is sent.
      file: null,
      startMs: roundMs(startMs - startedAtMs),
      ms: roundMs(Math.max(0, endMs - startMs)),
    };
  });
}

/** Rounds to a microsecond. */
function roundMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
