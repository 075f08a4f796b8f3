/** Follows an event stream over several connections: when one ends, the next continues after the last event. */
import { type EventReader, type ReceivedEvent, StreamFailed } from './event-stream.ts';
import { itemsOf, readEvents } from './read-items.ts';

/** How long the client waits before it connects again, unless the server has sent another time. */
const defaultRetryMs = 1000;
/** Longest wait. The wait doubles with each attempt that receives no event. */
const maxRetryMs = 30_000;

/** How to follow a stream. */
export interface FollowOptions {
  /** Sends the request again, with the id of the last event. */
  connect: () => Promise<Response>;
  signal: AbortSignal | undefined;
}

/**
 * @param first The response of the first connection.
 * @throws {StreamFailed} if the server sends an event `error`, or rejects the request to continue.
 */
export async function* followEvents(
  first: Response,
  reader: EventReader,
  { connect, signal }: FollowOptions,
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
        // The connection was cut off.
      }
    }
    const retryMs = Math.max(1, reader.retryMs ?? defaultRetryMs) * 2 ** attempts;
    // A random delay, because all clients of a server that restarts have lost their connection at the same time.
    await wait(
      Math.min(retryMs, Math.max(maxRetryMs, reader.retryMs ?? 0)) * (1 + Math.random() / 2),
      signal,
    );
    response = await connect().catch((error) => {
      if (signal?.aborted) throw error;
      // The client could not connect.
      return undefined;
    });
    if (response?.status === 204) return;
    if (response !== undefined && (response.status !== 200 || itemsOf(response) !== 'events')) {
      response.body?.cancel().catch(() => {});
      // These statuses are temporary: overload, or a proxy whose server restarts.
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
