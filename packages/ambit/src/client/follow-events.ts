/** Follows an event stream over several connections: when one ends, the next continues after the last event. */
import { type EventReader, type ReceivedEvent, StreamFailed } from './event-stream.ts';
import { itemsOf, readEvents } from './read-items.ts';

/** Wait before the client connects again, unless the server has told another one. */
const defaultRetryMs = 1000;
/** Longest wait. It doubles with each attempt that brings no event. */
const maxRetryMs = 30_000;

/** How to follow a stream. */
export interface Following {
  /** Sends the request again, with the id of the last event. */
  connect: () => Promise<Response>;
  signal: AbortSignal | undefined;
}

/**
 * @param first The response of the first connection.
 * @throws {StreamFailed} if the server sends an event `error`, or refuses to continue.
 */
export async function* followEvents(
  first: Response,
  reader: EventReader,
  { connect, signal }: Following,
): AsyncGenerator<ReceivedEvent> {
  let response: Response | undefined = first;
  for (let attempts = 0; ; attempts++) {
    if (response !== undefined) {
      try {
        for await (const event of readEvents(response, reader)) {
          attempts = 0;
          yield event;
        }
      } catch (error) {
        if (error instanceof StreamFailed || signal?.aborted) throw error;
        // The connection was cut.
      }
    }
    const retryMs = Math.max(1, reader.retryMs ?? defaultRetryMs) * 2 ** attempts;
    // Not all at the same time: a server that restarts has lost all its clients at once.
    await wait(
      Math.min(retryMs, Math.max(maxRetryMs, reader.retryMs ?? 0)) * (1 + Math.random() / 2),
      signal,
    );
    response = await connect().catch((error) => {
      if (signal?.aborted) throw error;
      // There was no connection.
      return undefined;
    });
    if (response?.status === 204) return;
    if (response !== undefined && (response.status !== 200 || itemsOf(response) !== 'events')) {
      response.body?.cancel().catch(() => {});
      // Overload, or a proxy whose server restarts: that passes.
      if (response.status < 500 && response.status !== 429)
        throw new StreamFailed({ statusCode: response.status });
      response = undefined;
    }
  }
}

/** Rejects with the signal's reason. */
function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
