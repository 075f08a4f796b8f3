/** Subscribes to the diagnostics channels of Ambit. An error of a subscriber would end the process, so it is reported instead. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { RequestTrace, StepTrace } from 'ambit';

/** The functions that are called for the events. */
export interface Listeners {
  readonly start: (trace: RequestTrace) => void;
  readonly error: (trace: RequestTrace) => void;
  readonly asyncEnd: (trace: RequestTrace) => void;
  /** Called when a step of the request ends. */
  readonly stepEnd: (trace: RequestTrace) => void;
}

/** Subscribes to requests. `stopStarting` ends this for new requests, `stop` for running requests. */
export class Subscription {
  readonly stopStarting: () => void;
  readonly stop: () => void;

  constructor(listeners: Listeners, report: (error: unknown) => void) {
    const guard =
      <Message>(listen: (message: Message) => void) =>
      (message: unknown): void => {
        try {
          listen(message as Message);
        } catch (error) {
          report(error);
        }
      };
    const requests = tracingChannel('ambit.request');
    const steps = tracingChannel('ambit.request.step');
    const pairs = [
      [requests.error, guard(listeners.error)],
      [requests.asyncEnd, guard(listeners.asyncEnd)],
      [steps.asyncEnd, guard<StepTrace>(({ trace }) => listeners.stepEnd(trace))],
    ] as const;
    const start = guard(listeners.start);
    requests.start.subscribe(start);
    for (const [channel, listen] of pairs) channel.subscribe(listen);
    this.stopStarting = () => void requests.start.unsubscribe(start);
    this.stop = () => {
      for (const [channel, listen] of pairs) channel.unsubscribe(listen);
    };
  }
}
