/** Serves the requests of direct routes. While a handler waits, its request has no exchange until something needs one. */

import { LinkedList, type ListEntry } from '../shared/linked-list.ts';
import type { DirectRoute, DirectRun } from '../types/exchange.ts';
import type { FetchExchange } from './fetch-exchange.ts';
import { makeResponseOfType } from './text-response.ts';

type Answer = Response | Promise<Response>;

/** A request whose handler was called. */
interface DirectRequest {
  readonly route: DirectRoute;
  readonly run: DirectRun;
  readonly request: Request;
  readonly context: unknown;
  /** Only called for a handler that waits. */
  readonly resolve: (answer: Answer) => void;
}

export class DirectRequests {
  readonly #makeExchange: (request: Request, context: unknown) => FetchExchange;
  readonly #waiting = new LinkedList<DirectRequest>();

  constructor(makeExchange: (request: Request, context: unknown) => FetchExchange) {
    this.#makeExchange = makeExchange;
  }

  // HOT: once per request of a direct route (benchmark `get` on Bun and Deno).
  /**
   * @param context What the runtime passes as the second argument, after the request.
   * @returns `undefined` if the handler was not called, because something sees all requests now.
   */
  serve(route: DirectRoute, request: Request, context: unknown): Answer | undefined {
    const run = route.run();
    if (run === undefined) return undefined;
    if (run.text !== undefined) return makeResponseOfType(run.text, 200, run.type);
    if (run.promise === undefined) return this.#answerWithExchange({ route, run, request, context });
    const { promise } = run;
    return new Promise((resolve) => {
      const entry = this.#waiting.add({ route, run, request, context, resolve });
      promise.then(
        (value) => this.#settle(entry, value),
        () => this.#settle(entry, undefined),
      );
    });
  }

  /** Creates an exchange for each request whose handler waits, for code that looks at all of them. */
  createExchanges(): void {
    for (const entry of this.#waiting.entries) {
      this.#waiting.delete(entry);
      entry.value.resolve(this.#answerWithExchange(entry.value));
    }
  }

  #settle(entry: ListEntry<DirectRequest>, value: unknown): void {
    if (!this.#waiting.delete(entry)) return;
    const { route, run, resolve } = entry.value;
    route.fulfill(run, value);
    resolve(
      run.text === undefined
        ? this.#answerWithExchange(entry.value)
        : makeResponseOfType(run.text, 200, run.type),
    );
  }

  #answerWithExchange({ route, run, request, context }: Omit<DirectRequest, 'resolve'>): Answer {
    const x = this.#makeExchange(request, context);
    route.resume(x, run);
    return x.answer;
  }
}
