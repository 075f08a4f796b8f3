/** Ends a connection, in one of the four ways: after its last response, by node, with an error, or because the socket was closed. */
import type { Socket } from 'node:net';
import type { HandOverReason } from '../grammar/reasons.ts';
import type { ConnectionHost } from './connection-host.ts';
import type { Input } from './input.ts';
import type { Output } from './output.ts';
import type { RequestQueue } from './request-queue.ts';

export class Ending {
  /** After this, the engine neither reads nor writes. */
  hasEnded = false;
  #hasFailed = false;
  readonly #engine: ConnectionHost;
  readonly #socket: Socket;
  readonly #input: Input;
  readonly #output: Output;
  readonly #queue: RequestQueue;

  constructor(engine: ConnectionHost, socket: Socket, input: Input, output: Output, queue: RequestQueue) {
    this.#engine = engine;
    this.#socket = socket;
    this.#input = input;
    this.#output = output;
    this.#queue = queue;
  }

  /** Ends the connection after its last response, which has been collected. */
  afterResponses(): void {
    this.#output.flush();
    this.#markEnded();
    this.#socket.destroySoon();
  }

  /** Gives the connection, and what was read but not served, to node. */
  handOver(reason: HandOverReason): void {
    this.#output.flush();
    this.hasEnded = true;
    this.#engine.handOver(this.#socket, this.#input.rest, reason);
  }

  /** Ends the connection with the events and the response of node. */
  fail(error: Error): void {
    this.#output.flush();
    // After the beginning of a response, further bytes would be read as part of it.
    if (this.#queue.first?.isHeadWritten !== true) this.#failSocket(error);
    else {
      this.#hasFailed = true;
      this.hasEnded = true;
      this.#socket.destroy(error);
    }
  }

  /** Called when the socket has failed: no response can be sent. */
  onSocketError(error: Error): void {
    if (!this.#hasFailed) this.#failSocket(error);
  }

  onClosed(): void {
    this.#markEnded();
    this.#queue.close();
  }

  #failSocket(error: Error): void {
    this.#hasFailed = true;
    this.#markEnded();
    this.#engine.fail(this.#socket, error);
  }

  #markEnded(): void {
    this.hasEnded = true;
    this.#input.clear();
  }
}
