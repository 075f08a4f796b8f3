/** Owns the memory of requests: the last ones that were answered, with the time of each step, in a bounded number of bytes. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Reply, Request, RequestWatcher, RunningStep } from 'ambit';
import { isOwnContext } from './own-contexts.ts';
import type { Redactor } from './redact.ts';
import type { RequestModel } from './request-model.ts';
import { type Mark, roundMs, timeSteps } from './step-times.ts';

/** The most steps that are remembered of one request: not-found handlers may run a path again. */
const maxSteps = 200;
/** The most that run after the end: `onResponse` hooks. */
const maxLateSteps = 20;
/** About what an entry and one of its steps take, besides texts. */
const entryBytes = 400;
const stepBytes = 32;

/** How long somebody who waits for requests sleeps on: late steps and further requests come together. */
const settleMs = 50;

/** One request while it runs, and afterwards. */
interface Entry {
  number: number;
  readonly startedAtMs: number;
  readonly at: number;
  readonly marks: Mark[];
  /** How many may be remembered. */
  maxMarks: number;
  endedAtMs: number;
  isFinished: boolean;
  /** The values of parameters that are not remembered. */
  readonly secrets: readonly string[];
  /** What is left of the request when it has ended. */
  summary: Summary | undefined;
}

interface Summary {
  readonly pattern: RoutePattern | undefined;
  /** As JSON: a text of its own, while a part that is cut from a header keeps the whole header in memory. */
  readonly json: string;
  readonly bytes: number;
}

/** What the JSON of a summary has. */
type SummaryFields = Pick<RequestModel, 'id' | 'method' | 'url' | 'status' | 'headers'>;

/** What tells routes apart. */
export interface RoutePattern {
  readonly method: string | string[];
  readonly url: string;
  readonly handler: unknown;
}

export class RequestLog implements RequestWatcher {
  readonly #maxBytes: number;
  readonly #redactor: Redactor;
  /** Requests that run. One that nobody ends is forgotten with its request. */
  readonly #running = new WeakMap<Request, Entry>();
  /** Requests of the page itself. */
  readonly #own = new WeakSet<Request>();
  #ended: Entry[] = [];
  #bytes = 0;
  #last = 0;
  /** Wakes those who wait for a request. */
  readonly #sleepers = new Set<() => void>();

  constructor(maxBytes: number, redactor: Redactor) {
    this.#maxBytes = maxBytes;
    this.#redactor = redactor;
  }

  onStep(request: Request, step: RunningStep): void {
    let entry = this.#running.get(request);
    if (entry === undefined) {
      // Asked now: a request that the guard refuses goes on with the not-found handler of the application.
      if (isOwnContext(request.server)) this.#own.add(request);
      const startedAtMs = performance.now();
      entry = {
        number: 0,
        startedAtMs,
        at: Date.now(),
        marks: [],
        maxMarks: maxSteps,
        endedAtMs: 0,
        isFinished: false,
        secrets: this.#redactor.secretsOf(request.params),
        summary: undefined,
      };
      this.#running.set(request, entry);
    }
    if (entry.marks.length < entry.maxMarks) entry.marks.push({ step, startMs: performance.now() });
  }

  onEnd(request: Request, reply: Reply): void {
    this.#end(request, reply, true);
  }

  onAbort(request: Request, reply: Reply): void {
    this.#end(request, reply, false);
  }

  #end(request: Request, reply: Reply, isFinished: boolean): void {
    const entry = this.#running.get(request);
    if (entry === undefined || entry.summary !== undefined || this.#own.has(request)) return;
    entry.endedAtMs = performance.now();
    entry.isFinished = isFinished;
    entry.summary = this.#summarize(request, reply, entry);
    entry.maxMarks = entry.marks.length + maxLateSteps;
    const { bytes } = entry.summary;
    if (bytes > this.#maxBytes) return;
    entry.number = ++this.#last;
    this.#ended.push(entry);
    this.#bytes += bytes;
    let dropped = 0;
    while (this.#bytes > this.#maxBytes) this.#bytes -= this.#ended[dropped++]!.summary!.bytes;
    if (dropped > 0) this.#ended = this.#ended.slice(dropped);
    for (const wake of this.#sleepers) wake();
  }

  #summarize(request: Request, reply: Reply, { isFinished, marks, secrets }: Entry): Summary {
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
      bytes: entryBytes + 2 * json.length + stepBytes * (marks.length + maxLateSteps),
    };
  }

  /**
   * Resolves soon after a further request has ended.
   *
   * @param signal Ends the waiting as well.
   */
  async nextEnd(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#sleepers.add(wake);
      signal.addEventListener('abort', wake);
    });
    await wait(settleMs, undefined, { signal, ref: false }).catch(() => {});
  }

  /** How many bytes the remembered requests take, at most. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * The requests that are remembered, the oldest first.
   *
   * @param after Leaves out those with a number up to this one.
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
