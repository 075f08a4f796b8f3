/** A `fetch` for the client that reads streams item by item. The bundle of a client that does not use it does not contain it. */
import { EventReader } from './event-stream.ts';
import { followEvents } from './follow-events.ts';
import { itemsOf, readEvents, readJsonLines } from './read-items.ts';

/** A response, with its items if it is a stream. */
export type StreamedResponse = Response & { items?: AsyncIterable<unknown> };

type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type StreamInit = RequestInit & { headers: Headers; reconnect?: boolean; data?: 'text' };

/**
 * Creates a `fetch` for the client that reads streams item by item: `client<typeof app>(url, { fetch: withStreams() })`.
 *
 * @param send The function that sends requests. Default: the global `fetch`.
 * @returns The option `fetch` of the client.
 */
export function withStreams(
  send: Fetch = fetch,
): (url: string, init: RequestInit) => Promise<StreamedResponse> {
  return async (url, init) => {
    const request = (): Promise<Response> => send(url, init);
    const response: StreamedResponse = await request();
    const items = readItems(response, init as StreamInit, request);
    if (items !== undefined) response.items = items;
    return response;
  };
}

function readItems(
  response: Response,
  { method, headers, body, signal, data, reconnect = method === 'GET' }: StreamInit,
  request: () => Promise<Response>,
): AsyncIterable<unknown> | undefined {
  const items = itemsOf(response);
  if (items !== 'events') return items && readJsonLines(response);
  const reader = new EventReader(data === 'text', headers.get('last-event-id') ?? '');
  // A stream can be sent only once.
  const canRepeat = reconnect && !(body instanceof ReadableStream);
  if (!canRepeat || response.status !== 200) return readEvents(response, reader);
  const connect = (): Promise<Response> => {
    if (reader.lastId === '') headers.delete('last-event-id');
    else headers.set('last-event-id', reader.lastId);
    return request();
  };
  return followEvents(response, reader, { connect, signal: signal ?? undefined });
}
