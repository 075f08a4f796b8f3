/** Manages the streams of items that an application sends: their heartbeats, and their end when the application closes. */
import { unrefTimer } from '../shared/js-runtime.ts';

/** A stream, as it is used here. */
export interface OpenStream {
  readonly heartbeatMs: number | false;
  readonly closeMs: number;
  /** Writes a comment, if the reader of the stream waits for data. */
  sendHeartbeat(): void;
  /** Tells the handler that the application is closing. */
  announceClose(): void;
  /** Ends the stream, whatever its handler does. */
  forceEnd(): void;
}

/** How many streams get a heartbeat in one turn of the event loop, so that requests are served in between. */
const heartbeatsPerTurn = 200;

export class OpenStreams {
  /**
   * One timer for all streams with the same interval, because ten thousand timers for as many clients would cost more than their events.
   */
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
      const timer =
        ms === false ? undefined : unrefTimer(setInterval(() => sendHeartbeats([...streams]), ms));
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

  /**
   * Tells every stream that the application closes. Streams that do not end in time are cut off. Streams that begin later are told at once.
   */
  close(): void {
    this.#isClosing = true;
    for (const { streams } of [...this.#byInterval.values()])
      for (const stream of [...streams]) this.#end(stream);
  }

  #end(stream: OpenStream): void {
    this.#deadlines.set(stream, unrefTimer(setTimeout(() => stream.forceEnd(), stream.closeMs)));
    stream.announceClose();
  }
}

function sendHeartbeats(streams: OpenStream[]): void {
  for (const stream of streams.splice(0, heartbeatsPerTurn)) stream.sendHeartbeat();
  if (streams.length > 0) setImmediate(sendHeartbeats, streams);
}
