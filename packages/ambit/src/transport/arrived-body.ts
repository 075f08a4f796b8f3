/** Reads a body from node's HTTP/1.1 server: in one piece where it has come with its head. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { atEndOfTurn } from '../shared/end-of-turn.ts';
import { StreamCollector } from '../shared/stream-collector.ts';

/** The listener without what streams add to it: they would start reading in the next tick. */
const { on: addListener } = EventEmitter.prototype;

export class ArrivedBody extends StreamCollector<IncomingMessage> {
  /**
   * HOT: once per request with a body. Most bodies come with their head: once all that arrived in this turn has been read, such a
   * body is taken in one piece. The events of the stream would tell the same, with three listeners, and one request at a time: a
   * fifth of the CPU time of benchmark `post`. Whoever reads the stream too in the meantime is listened to.
   */
  readWhenArrived(): void {
    addListener.call(this.stream, 'data', this.onData);
    atEndOfTurn(() => {
      try {
        if (!this.isOver) this.#readArrived();
      } catch (error) {
        this.fail(error);
      }
    });
  }

  #readArrived(): void {
    const { stream } = this;
    if (stream.readableEnded) this.finish();
    else if (stream.destroyed) this.fail(stream.errored ?? new Error('the request was destroyed'));
    else if (stream.complete && stream.readableFlowing === null) {
      do stream.read();
      while (stream.readableLength > 0);
      if (!this.isOver) this.finish();
    } else this.awaitEnd();
  }
}
