/** Parses event streams, line by line (WHATWG HTML, 9.2.6). */
import { textMark, toFieldText } from '../shared/typed-calls.ts';

/** An event as it was received: it has the fields that the server sent. */
export interface ReceivedEvent {
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
  /**
   * What the server sent about the error: `statusCode`, `error` and `message`, and `requestId` if the message is hidden; or problem details (RFC 9457), in a context that sends
   * those.
   */
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

export class EventReader {
  /**
   * The header `Last-Event-ID` with which the client connects again: the id of the last event that has one. An id with a control character
   * is ignored, because a header cannot contain it.
   */
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
