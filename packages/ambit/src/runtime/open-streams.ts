/** The streams of items that an application is sending: their heartbeats, and their end when the application closes. */

/** What is known here of a stream. */
export interface OpenStream {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
  /** Writes a comment, if the stream can take one now. */
  beat(): void;
  /** Tells the handler that the application is closing. */
  announceClose(): void;
  /** Ends the stream, whatever its handler does. */
  cut(): void;
}

/** Streams that get a heartbeat in one turn of the event loop, so that requests are served in between. */
const beatsPerTurn = 200;

export class OpenStreams {
  /** One timer for all streams of an interval: a timer for each of ten thousand clients would cost more than the clients' own events. */
  readonly #byInterval = new Map<
    number | false,
    { readonly streams: Set<OpenStream>; timer: NodeJS.Timeout | undefined }
  >();
  readonly #deadlines = new Map<OpenStream, NodeJS.Timeout>();
  #isClosing = false;

  add(stream: OpenStream): void {
    const ms = stream.heartbeatMs;
    let group = this.#byInterval.get(ms);
    if (group === undefined) {
      const streams = new Set<OpenStream>();
      const timer = ms === false ? undefined : setInterval(() => beatAll([...streams]), ms).unref();
      group = { streams, timer };
      this.#byInterval.set(ms, group);
    }
    group.streams.add(stream);
    if (this.#isClosing) this.#end(stream);
  }

  delete(stream: OpenStream): void {
    clearTimeout(this.#deadlines.get(stream));
    this.#deadlines.delete(stream);
    const group = this.#byInterval.get(stream.heartbeatMs);
    group?.streams.delete(stream);
    if (group?.streams.size !== 0) return;
    clearInterval(group.timer);
    this.#byInterval.delete(stream.heartbeatMs);
  }

  /** Gives every stream notice; those that go on for too long are cut. Streams that begin later get notice at once. */
  close(): void {
    this.#isClosing = true;
    for (const { streams } of [...this.#byInterval.values()])
      for (const stream of [...streams]) this.#end(stream);
  }

  #end(stream: OpenStream): void {
    this.#deadlines.set(stream, setTimeout(() => stream.cut(), stream.closeMs).unref());
    stream.announceClose();
  }
}

function beatAll(streams: OpenStream[]): void {
  for (const stream of streams.splice(0, beatsPerTurn)) stream.beat();
  if (streams.length > 0) setImmediate(beatAll, streams);
}
