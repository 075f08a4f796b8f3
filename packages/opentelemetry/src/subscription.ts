/** Subscribes to the diagnostics channels of Ambit. What a subscriber throws would end the process, so it is reported instead. */
import { tracingChannel } from 'node:diagnostics_channel';
import type { RequestTrace, StepTrace } from 'ambit';

/** What is done at each event. */
export interface Listeners {
  readonly start: (trace: RequestTrace) => void;
  readonly error: (trace: RequestTrace) => void;
  readonly asyncEnd: (trace: RequestTrace) => void;
  /** A step is over; `undefined` if nobody needs to know. */
  readonly stepEnd: ((trace: RequestTrace) => void) | undefined;
}

/** Subscribes to requests. `stopStarting` is for new requests, `stop` for those that run. */
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
    const { stepEnd } = listeners;
    const pairs = [
      [requests.error, guard(listeners.error)],
      [requests.asyncEnd, guard(listeners.asyncEnd)],
      ...(stepEnd === undefined
        ? []
        : [[steps.asyncEnd, guard<StepTrace>(({ trace }) => stepEnd(trace))] as const]),
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
