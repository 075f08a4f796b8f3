/**
 * A process that serves requests behind an admission controller, turn by turn of its event loop, without a clock and with a seed: requests
 * that arrive while it works wait in the system until the next turn, which reads them all in the order of their arrival.
 */
import { nextArrivalMs, randomFrom } from '../../../../bench/random.mjs';
import { AdmissionController } from '../../src/runtime/overload/admission-controller.ts';
import { RouteBaseline } from '../../src/runtime/overload/concurrency-limiter.ts';
import type { OverloadSettings } from '../../src/types/feature-options.ts';
import { SimulatedEventLoop } from './simulated-event-loop.ts';

/** What a handler does: it works in each of these turns, for these milliseconds. */
export type Handler = readonly number[];

export interface Outcome {
  readonly servedPerSecond: number;
  readonly refused: number;
  readonly p99Ms: number;
}

/** What a turn, and an answer to a request that is refused, take of the processor. */
const turnMs = 0.01;
const refusalMs = 0.02;

export class SimulatedServer {
  readonly #loop = new SimulatedEventLoop();
  readonly #controller: AdmissionController;
  readonly #route = new RouteBaseline();
  readonly #handler: Handler;
  readonly #random: () => number;

  constructor(settings: OverloadSettings, handler: Handler, seed: number) {
    this.#controller = new AdmissionController(settings, this.#loop);
    this.#handler = handler;
    this.#random = randomFrom(seed);
  }

  get limit(): number {
    return this.#controller.state.limit;
  }

  /** Sends requests at random times with a mean rate, and ends a second after all have an answer. */
  run(requestsPerSecond: number, seconds: number): Outcome {
    const loop = this.#loop;
    const durations: number[] = [];
    let refused = 0;
    let open = 0;
    const serve = (arrivedMs: number): void => {
      const ticket = this.#controller.enter(1, true);
      if (ticket === undefined) {
        refused++;
        loop.work(refusalMs);
        return;
      }
      open++;
      const step = (index: number): void => {
        loop.work(this.#handler[index]!);
        if (index + 1 < this.#handler.length) {
          loop.afterTurn(() => step(index + 1));
          return;
        }
        open--;
        this.#controller.leave(ticket, this.#route);
        durations.push(loop.now() - arrivedMs);
      };
      step(0);
    };
    const endMs = loop.now() + seconds * 1_000;
    let nextMs = loop.now();
    while (nextMs < endMs || open > 0) {
      if (!loop.hasMore) loop.waitUntil(nextMs);
      loop.work(turnMs);
      for (const turnSinceMs = loop.now(); nextMs <= turnSinceMs && nextMs < endMs; ) {
        serve(nextMs);
        nextMs += nextArrivalMs(this.#random, requestsPerSecond);
      }
      loop.endTurn();
    }
    loop.waitUntil(loop.now() + 1_000);
    durations.sort((a, b) => a - b);
    return {
      servedPerSecond: durations.length / seconds,
      refused,
      p99Ms: durations[Math.floor(durations.length * 0.99)] ?? 0,
    };
  }
}
