/** Stores the last requests, running and ended, with their steps, log lines and errors, in a limited number of bytes. */
import { setTimeout as wait } from 'node:timers/promises';
import { type Redactor, type RequestDescription, RequestRecord } from '@ambit/readable';
import type { Reply, Request, RequestWatcher, RunningStep } from 'ambit';
import { isOwnContext } from './inspect.ts';
import type { RanStep, RequestModel, RequestState } from './model.ts';
import {
  describeBody,
  describeError,
  describeResponse,
  isStream,
  type ResponseParts,
} from './request-parts.ts';
import { functionName } from './safe-value.ts';

/** The approximate memory of an entry, without its texts, steps and lines. */
const entryBytes = 600;

/** How long to wait after a change, so that further changes are sent together. */
const batchDelayMs = 50;

const noResponse: ResponseParts = { status: 0, responseHeaders: {}, bytes: null, isStream: false };

/** One request. The texts are JSON. */
interface Entry {
  readonly number: number;
  readonly record: RequestRecord<RunningStep>;
  readonly pattern: RoutePattern | undefined;
  readonly id: string;
  readonly method: string;
  body: string;
  response: string;
  error: string;
  state: RequestState;
  /** Whether the response is being written. */
  isWritten: boolean;
  /** Whether a failure was not followed by a step: the response was cut off. */
  isCutOff: boolean;
  /** Counts up with each change of any entry. */
  revision: number;
  /** The memory that the lists count for it; 0 if it is in none. */
  bytes: number;
}

/** The fields that identify a route. */
export interface RoutePattern {
  readonly method: string | string[];
  readonly url: string;
  readonly handler: unknown;
}

export class RequestLog implements RequestWatcher {
  readonly #maxBytes: number;
  readonly #redactor: Redactor;
  /** Errors, log lines and bodies are not for those who may see the inspector of a service in production. */
  readonly #isProduction: boolean = process.env.NODE_ENV === 'production';
  /** The address of the page. */
  readonly #page: string;
  /** The entries of requests, as long as these are in memory. Requests of the page itself have none. */
  readonly #entries = new WeakMap<Request, Entry | undefined>();
  /** The running requests that are listed, the oldest first. They use at most half of the bytes. */
  readonly #running = new EntryList();
  /** The ended requests that are listed, the first that has ended first. */
  readonly #ended = new EntryList();
  readonly #startedAt = Date.now();
  #lastNumber = 0;
  #revision = 0;
  /** Functions that resolve the promises of `nextChange`. */
  readonly #waiters = new Set<() => void>();

  constructor(maxBytes: number, redactor: Redactor, page: string) {
    this.#maxBytes = maxBytes;
    this.#page = page;
    this.#redactor = redactor;
  }

  onStep(request: Request, step: RunningStep, reply: Reply): void {
    // This must be checked at the first step, because a request that the guard rejects continues with the application's not-found handler.
    if (!this.#entries.has(request))
      this.#entries.set(request, isOwnContext(request.server) ? undefined : this.#open(request));
    const entry = this.#entries.get(request);
    if (entry === undefined) return;
    entry.record.begin(step);
    entry.isCutOff = false;
    if (entry.body === '' && !this.#isProduction)
      entry.body = toText(describeBody(request, this.#redactor, secretsOf(entry)));
    if (step.name === 'write') {
      entry.isWritten = true;
      // Other responses are described when they have ended.
      if (isStream(reply)) entry.response = this.#describeResponse(request, reply, entry);
    }
    this.#change(entry);
  }

  onError(request: Request, error: unknown): void {
    const entry = this.#entries.get(request);
    if (entry === undefined || entry.state !== 'running') return;
    if (!this.#isProduction) entry.error = toText(describeError(error, this.#redactor, secretsOf(entry)));
    entry.isCutOff = true;
    this.#change(entry);
  }

  onEnd(request: Request, reply: Reply, error?: Error): void {
    this.#end(request, reply, error === undefined ? 'finished' : 'broken');
  }

  onAbort(request: Request, reply: Reply): void {
    this.#end(request, reply, this.#entries.get(request)?.isCutOff ? 'broken' : 'left');
  }

  describe(request: Request): RequestDescription {
    const record = this.#entries.get(request)?.record ?? new RequestRecord(request, this.#redactor);
    return { ...record.describe(), page: this.#page };
  }

  #open(request: Request): Entry {
    const { id, method, routeOptions, is404, originalUrl, headers, params } = request;
    // With the request itself, other records of it have the same lines.
    const recorded = this.#isProduction ? { originalUrl, headers, params, log: undefined } : request;
    const { method: methods, url: pattern, handler } = routeOptions as RoutePattern;
    const entry: Entry = {
      number: ++this.#lastNumber,
      record: new RequestRecord<RunningStep>(recorded, this.#redactor, () => this.#change(entry)),
      pattern: is404 || pattern === undefined ? undefined : { method: methods, url: pattern, handler },
      id: JSON.parse(toText(String(id).slice(0, 200))) as string,
      method,
      body: '',
      response: '',
      error: '',
      state: 'running',
      isWritten: false,
      isCutOff: false,
      revision: 0,
      bytes: 0,
    };
    this.#running.add(entry);
    return entry;
  }

  #end(request: Request, reply: Reply, state: RequestState): void {
    const entry = this.#entries.get(request);
    if (entry === undefined || entry.state !== 'running') return;
    entry.state = state;
    entry.record.end();
    if (entry.isWritten || state === 'finished')
      entry.response = this.#describeResponse(request, reply, entry);
    this.#running.delete(entry);
    this.#ended.add(entry);
    this.#change(entry);
  }

  #describeResponse(request: Request, reply: Reply, entry: Entry): string {
    const response = describeResponse(reply, request, this.#redactor, secretsOf(entry));
    return toText(entry.state === 'finished' ? response : { ...response, bytes: null });
  }

  /** Counts the bytes of an entry, drops entries until the limit is kept, and tells the pages. */
  #change(entry: Entry): void {
    entry.revision = this.#revision + 1;
    const [list, maxBytes] =
      entry.state === 'running' ? [this.#running, this.#maxBytes / 2] : [this.#ended, this.#maxBytes];
    if (!list.has(entry)) return;
    const bytes = bytesOf(entry);
    if (bytes > maxBytes) list.delete(entry);
    else list.count(entry, bytes);
    this.#running.keep(this.#maxBytes / 2);
    this.#ended.keep(this.#maxBytes - this.#running.bytes);
    this.change();
  }

  /** The last revision. */
  get revision(): number {
    return this.#revision;
  }

  /** Counts a change outside of the log, which `nextChange` reports as well. @returns The new revision. */
  change(): number {
    this.#revision++;
    for (const wake of this.#waiters) wake();
    return this.#revision;
  }

  /** How many of the listed requests run. */
  get runningCount(): number {
    return this.#running.size;
  }

  /**
   * Resolves soon after the next change.
   *
   * @param after The last revision that the caller knows.
   * @param signal Ends the waiting as well.
   */
  async nextChange(after: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    if (this.#revision === after)
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
    return this.#running.bytes + this.#ended.bytes;
  }

  /**
   * The stored requests, in the order of arrival.
   *
   * @param after Only requests that have changed after this revision are returned.
   * @param routeOf Finds the id of a route.
   */
  list(after: number, routeOf: (pattern: RoutePattern) => number | null): RequestModel[] {
    return [...this.#running, ...this.#ended]
      .filter(({ revision }) => revision > after)
      .sort((a, b) => a.number - b.number)
      .map((entry) => this.#describe(entry, routeOf));
  }

  #describe(
    { number, record, pattern, id, method, body, response, error, state }: Entry,
    routeOf: (pattern: RoutePattern) => number | null,
  ): RequestModel {
    const known = fromText<ResponseParts>(response) ?? noResponse;
    const { url, headers } = record.request;
    return {
      ...known,
      status: state === 'running' ? 0 : known.status,
      number,
      startedAt: this.#startedAt,
      id,
      method,
      url,
      headers,
      route: pattern === undefined ? null : routeOf(pattern),
      at: record.at,
      ms: record.ms,
      steps: ranSteps(record),
      isFinished: state === 'finished',
      state,
      error: fromText(error),
      logs: record.lines(),
      logCount: record.lineCount,
      body: fromText(body),
    };
  }
}

/** Entries in the order in which they were added, with the bytes of all of them. */
class EntryList {
  bytes = 0;
  readonly #entries = new Set<Entry>();

  get size(): number {
    return this.#entries.size;
  }

  has(entry: Entry): boolean {
    return this.#entries.has(entry);
  }

  add(entry: Entry): void {
    this.#entries.add(entry);
  }

  delete(entry: Entry): void {
    if (this.#entries.delete(entry)) this.count(entry, 0);
  }

  /** Says how many bytes an entry uses now. */
  count(entry: Entry, bytes: number): void {
    this.bytes += bytes - entry.bytes;
    entry.bytes = bytes;
  }

  /** Drops the oldest entries until the others use at most so many bytes. */
  keep(maxBytes: number): void {
    for (const entry of this.#entries) {
      if (this.bytes <= maxBytes) return;
      this.delete(entry);
    }
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.#entries.values();
  }
}

function secretsOf({ record }: Entry): readonly string[] {
  return record.request.secrets;
}

function bytesOf({ id, body, response, error, record }: Entry): number {
  return entryBytes + record.bytes + 2 * (id.length + body.length + response.length + error.length);
}

/** @returns An empty text for `undefined`. */
function toText(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** @returns `null` for an empty text. */
function fromText<T>(text: string): T | null {
  return text === '' ? null : (JSON.parse(text) as T);
}

function ranSteps(record: RequestRecord<RunningStep>): RanStep[] {
  return record.steps().map(({ step: { path, index, name, function: called }, startMs, ms }) => ({
    path,
    index,
    name,
    function: functionName(called, name),
    // The log knows no routes: the line is added when the request is sent.
    file: null,
    startMs,
    ms,
  }));
}
