/** The counters of an engine: how much it served, and why node served the rest. */
import type { HandOverReason } from './grammar/reasons.ts';

/** What an engine has served since it was attached. */
export interface Counters {
  /** Connections that began with the engine. */
  readonly connections: number;
  /** Requests that the engine served. */
  readonly requests: number;
  /** Requests that were rejected with 400 because of their Host field, although node would have accepted them. */
  readonly refused: number;
  /** Connections that went to node, by reason. */
  readonly handedOver: Readonly<Partial<Record<HandOverReason, number>>>;
}

export class MutableCounters implements Counters {
  connections = 0;
  requests = 0;
  refused = 0;
  readonly handedOver: Partial<Record<HandOverReason, number>> = {};

  countHandOver(reason: HandOverReason): void {
    this.handedOver[reason] = (this.handedOver[reason] ?? 0) + 1;
  }
}
