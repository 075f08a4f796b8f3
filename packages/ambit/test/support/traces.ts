/** Collects what applications publish on the diagnostics channels of requests, for one test. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { RequestTrace, StepTrace } from 'ambit';
import { onTestFinished } from 'vitest';

const names = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const;

export class Traces {
  /** `start`, `step handler`, `over handler`, `asyncEnd`, … */
  readonly events: string[] = [];
  readonly requests: RequestTrace[] = [];
  readonly steps: StepTrace[] = [];
  readonly errors: unknown[] = [];
  #ended = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #stop: (() => void)[] = [];

  constructor() {
    const onRequest = Object.fromEntries(names.map((name) => [name, this.#note(name)]));
    const requests = tracingChannel<unknown, RequestTrace>('ambit.request');
    requests.subscribe(onRequest as never);
    this.#stop.push(() => requests.unsubscribe(onRequest as never));
    const steps = tracingChannel<unknown, StepTrace>('ambit.request.step');
    const onStep = {
      start: (message: StepTrace) => {
        this.steps.push(message);
        this.events.push(`step ${message.step.name}`);
      },
      asyncEnd: ({ step }: StepTrace) => void this.events.push(`over ${step.name}`),
    };
    steps.subscribe(onStep as never);
    this.#stop.push(() => steps.unsubscribe(onStep as never));
    onTestFinished(() => this.stop());
  }

  stop(): void {
    for (const each of this.#stop.splice(0)) each();
  }

  /** Resolves when so many requests are over. */
  async over(count = 1): Promise<void> {
    while (this.#ended < count) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  get stepNames(): string[] {
    return this.steps.map(({ step }) => step.name);
  }

  #note(name: (typeof names)[number]): (trace: RequestTrace) => void {
    return (trace) => {
      this.events.push(name);
      if (name === 'start') this.requests.push(trace);
      if (name === 'error') this.errors.push(trace.error);
      if (name !== 'asyncEnd') return;
      this.#ended++;
      for (const wake of this.#waiting.splice(0)) wake();
    };
  }
}
