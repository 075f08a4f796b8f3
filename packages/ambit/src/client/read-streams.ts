/** Reads streams item by item: events, over several connections, and items in JSON, one a line. */
import { textMark, toFieldText } from '../shared/typed-calls.ts';

/** A response, with its items if it is a stream. */
export type StreamedResponse = Response & { items?: AsyncIterable<unknown> };
type Fetch = (url: string, init: RequestInit) => Promise<Response>;
type StreamInit = RequestInit & { headers: Headers; reconnect?: boolean; data?: 'text' };

/** Creates a `fetch` for the client that reads streams item by item. @param send Sends requests. Default: the global `fetch`. */
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
  return followEvents(response, reader, connect, signal ?? undefined);
}

/** Media types whose items are lines of JSON. In a JSON text sequence, each line begins with a record separator (RFC 7464, 2.2). */
const lineType = /^application\/(?:jsonl|x-ndjson|json-seq)$/;

/** Whether a response is read as lines of JSON, or as events; `undefined` if it is not a stream of items. */
function itemsOf(response: Response): 'lines' | 'events' | undefined {
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';', 1);
  if (type.trim() === 'text/event-stream') return 'events';
  return lineType.test(type.trim()) ? 'lines' : undefined;
}

/** @throws {SyntaxError} for a line that is not JSON. */
async function* readJsonLines(response: Response): AsyncGenerator<unknown> {
  for await (const line of readLines(response, 'yield')) {
    const json = line.startsWith('\x1e') ? line.slice(1) : line;
    if (json.trim() !== '') yield JSON.parse(json);
  }
}

/** @throws {StreamFailed} for the event with which the server reports an error. */
async function* readEvents(response: Response, reader: EventReader): AsyncGenerator<ReceivedEvent> {
  reader.reset();
  // An event that is cut off must be ignored (WHATWG HTML, 9.2.6).
  for await (const line of readLines(response, 'drop')) {
    const event = reader.read(line);
    if (event === undefined) continue;
    const failure = StreamFailed.of(event);
    if (failure !== undefined) throw failure;
    yield event;
  }
}

/** How long the client waits before it connects again, unless the server has sent another time. */
const defaultRetryMs = 1000;
/** Longest wait, unless the server has sent a longer one. The wait doubles with each attempt that receives no event. */
const maxRetryMs = 30_000;
/** The longest delay of a timer: a longer one would be none. */
const maxTimerMs = 2 ** 31 - 1;

/**
 * Follows an event stream over several connections: when one ends, the next continues after the last event.
 * @param first The response of the first connection.
 * @param connect Sends the request again, with the id of the last event.
 * @throws {StreamFailed} if the server sends an event `error`, or rejects the request to continue.
 */
async function* followEvents(
  first: Response,
  reader: EventReader,
  connect: () => Promise<Response>,
  signal: AbortSignal | undefined,
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
    const limitedMs = Math.min(retryMs, Math.max(maxRetryMs, reader.retryMs ?? 0));
    // A random delay, because all clients of a server that restarts have lost their connection at the same time.
    await wait(Math.min(limitedMs * (1 + Math.random() / 2), maxTimerMs), signal);
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

/** Reads lines that end with LF, CR or both. If the caller stops early, the stream is cancelled, so that the server can stop, too. */
async function* readLines(response: Response, unterminatedLine: 'yield' | 'drop'): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let rest = '';
  let endsWithCr = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      let text = done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (text !== '') {
        if (endsWithCr && text.startsWith('\n')) text = text.slice(1);
        endsWithCr = text.endsWith('\r');
        // A long line may arrive in many chunks: only a chunk with a line end is joined with the rest and split.
        const lines = /[\r\n]/.test(text) ? (rest + text).split(/\r\n|\r|\n/) : [rest + text];
        rest = lines.pop()!;
        yield* lines;
      }
      if (done) break;
    }
    if (unterminatedLine === 'yield') yield rest;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** An event as it was received: it has the fields that the server sent. */
interface ReceivedEvent {
  event?: string;
  id?: string;
  retry?: number;
  data?: unknown;
}

/** The server ended a stream with an event `error`: the handler has failed. */
export class StreamFailed extends Error {
  /** `StreamFailed`. */
  override readonly name = 'StreamFailed';
  /** The status that an error reply would have. */
  readonly statusCode: number;
  /** What the server sent: `statusCode`, `error`, `message`, and `requestId` if that is hidden; or problem details (RFC 9457). */
  readonly data: {
    statusCode?: number;
    message?: string;
    requestId?: string;
    status?: number;
    title?: string;
    detail?: string;
    [field: string]: unknown;
  };

  /** @param data What the server sent about the error. */
  constructor(data: StreamFailed['data']) {
    const statusCode = statusOf(data)!;
    super(data.message ?? data.detail ?? data.title ?? `the stream failed with status ${statusCode}`);
    this.statusCode = statusCode;
    this.data = data;
  }

  /** Returns the failure that an event reports; `undefined` for an event of the application, also if its name is `error`. */
  static of({ event, data }: ReceivedEvent): StreamFailed | undefined {
    if (event !== 'error') return undefined;
    const fields = Object(typeof data === 'string' ? parse(data) : data) as StreamFailed['data'];
    const statusCode = statusOf(fields);
    return statusCode === undefined || statusCode < 400 ? undefined : new StreamFailed(fields);
  }
}

/** A `status` only counts together with a `type`, as in problem details, because events of an application may have a `status`, too. */
function statusOf({ statusCode, status, type }: StreamFailed['data']): number | undefined {
  if (typeof statusCode === 'number') return statusCode;
  return typeof type === 'string' && typeof status === 'number' ? status : undefined;
}

/** What a header must not contain (RFC 9110, 5.5). The events themselves may. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for.
const controlCharacter = /[\0-\x08\n-\x1f\x7f]/;

/** Parses an event stream, line by line (WHATWG HTML, 9.2.6). */
class EventReader {
  /** The header `Last-Event-ID` to connect again with: the last id without a control character, which headers cannot contain. */
  lastId: string;
  /** How long to wait before connecting again, if the server has sent a time. */
  retryMs: number | undefined = undefined;
  readonly #isText: boolean;
  #event: ReceivedEvent = {};
  #data: string[] = [];
  #id: string | undefined = undefined;
  /** Whether the server has marked the data of this event as text. */
  #isMarkedAsText = false;

  /**
   * @param isText Whether all data stays text. Otherwise, only data that the server has marked, or that is not JSON, stays text.
   * @param lastId The header `Last-Event-ID` of the first request.
   */
  constructor(isText: boolean, lastId = '') {
    this.#isText = isText;
    this.lastId = lastId;
  }

  /** Drops the incomplete event of a connection that was cut off. */
  reset(): void {
    this.#event = {};
    this.#data = [];
    this.#id = undefined;
    this.#isMarkedAsText = false;
  }

  /** @returns The event that ends with this line, if there is one. */
  read(line: string): ReceivedEvent | undefined {
    if (line === '') return this.#dispatch();
    if (line === textMark) this.#isMarkedAsText = true;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event.event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = this.#event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.#event.retry = this.retryMs = Number(value);
    return undefined;
  }

  /** Ends an event. Without name and data it is not an event: then it only had fields for the connection. */
  #dispatch(): ReceivedEvent | undefined {
    const [event, data, isText] = [this.#event, this.#data, this.#isText || this.#isMarkedAsText];
    if (this.#id !== undefined && !controlCharacter.test(this.#id))
      this.lastId = toFieldText(this.#id, 'last-event-id');
    this.reset();
    if (data.length > 0) {
      const text = data.join('\n');
      event.data = isText ? text : parse(text);
    }
    return event.event === undefined && data.length === 0 ? undefined : event;
  }
}

/** Parses JSON; returns any other text as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
