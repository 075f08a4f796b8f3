/** The stream of a response that is sent in pieces. The runtime pulls what it can send, and cancels the stream if nobody reads it. */

/** How many bytes may wait for the client: as many as in node's streams. */
const waitingBytes = 65_536;

export class FetchResponseStream {
  readonly body: ReadableStream<Uint8Array>;
  #controller!: ReadableStreamDefaultController<Uint8Array>;

  /**
   * @param onDrained Called when the runtime wants more bytes.
   * @param onCancelled Called when the runtime cancels the response, because its client has left.
   */
  constructor(onDrained: () => void, onCancelled: () => void) {
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#controller = controller;
      },
      pull: onDrained,
      cancel: onCancelled,
    };
    this.body = new ReadableStream(source, new ByteLengthQueuingStrategy({ highWaterMark: waitingBytes }));
  }

  /** @returns Whether the runtime wants more at once. */
  write(bytes: Uint8Array): boolean {
    this.#controller.enqueue(bytes);
    return this.#controller.desiredSize! > 0;
  }

  close(): void {
    this.#controller.close();
  }

  fail(error: unknown): void {
    this.#controller.error(error);
  }
}
