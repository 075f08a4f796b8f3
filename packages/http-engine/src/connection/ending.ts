/** Ends a connection, in one of the four ways: after its last response, by node, with an error, or because the socket was closed. */
import type { HandOverReason } from '../grammar/reasons.ts';
import type { ConnectionParts } from './connection-parts.ts';

export class Ending {
  /** After this, the engine neither reads nor writes. */
  hasEnded = false;
  #hasFailed = false;
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    this.#parts = parts;
  }

  /** Ends the connection after its last response, which has been collected. */
  afterResponses(): void {
    this.#parts.output.flush();
    this.#markEnded();
    this.#parts.socket.destroySoon();
  }

  /** Gives the connection, and what was read but not served, to node. */
  handOver(reason: HandOverReason): void {
    const { engine, socket, input, output } = this.#parts;
    output.flush();
    this.hasEnded = true;
    engine.handOver(socket, input.rest, reason);
  }

  /** Ends the connection with the events and the response of node. */
  fail(error: Error): void {
    const { socket, output, queue } = this.#parts;
    output.flush();
    // After the beginning of a response, further bytes would be read as part of it.
    if (queue.first?.isHeadWritten !== true) this.#failSocket(error);
    else {
      this.#hasFailed = true;
      this.hasEnded = true;
      socket.destroy(error);
    }
  }

  /** Called when the socket has failed: no response can be sent. */
  onSocketError(error: Error): void {
    if (!this.#hasFailed) this.#failSocket(error);
  }

  onClosed(): void {
    this.#markEnded();
    this.#parts.queue.close();
  }

  #failSocket(error: Error): void {
    this.#hasFailed = true;
    this.#markEnded();
    this.#parts.engine.fail(this.#parts.socket, error);
  }

  #markEnded(): void {
    this.hasEnded = true;
    this.#parts.input.clear();
  }
}
