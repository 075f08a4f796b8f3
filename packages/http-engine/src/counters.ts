/** Owns what an engine counts: how much it served, and why node served the rest. */
import type { HandOverReason } from './grammar/reasons.ts';

/** What an engine has served since it was attached. */
export interface Counters {
  /** Connections that the engine began with. */
  readonly connections: number;
  /** Requests that the engine served. */
  readonly requests: number;
  /** Requests that were refused with 400 for their Host, which node would have taken. */
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
