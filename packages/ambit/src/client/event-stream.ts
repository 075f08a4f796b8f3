/** Parses event streams, line by line (WHATWG HTML, 9.2.6). */
import { textMark } from '../shared/event-text-mark.ts';

/** An event as it came: the fields that it has. */
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
  /** What the server sent about the error: `statusCode`, `error` and `message`; or problem details (RFC 9457), in a context that sends those. */
  readonly data: {
    statusCode?: number;
    message?: string;
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

  /** The failure that an event tells of; `undefined` for an event of the application, whatever its name is. */
  static of({ event, data }: ReceivedEvent): StreamFailed | undefined {
    if (event !== 'error') return undefined;
    const fields = Object(typeof data === 'string' ? parse(data) : data) as StreamFailed['data'];
    const statusCode = statusOf(fields);
    return statusCode === undefined || statusCode < 400 ? undefined : new StreamFailed(fields);
  }
}

/** Problem details have a `type`: events of an application may have a `status` as well. */
function statusOf({ statusCode, status, type }: StreamFailed['data']): number | undefined {
  if (typeof statusCode === 'number') return statusCode;
  return typeof type === 'string' && typeof status === 'number' ? status : undefined;
}

export class EventReader {
  /** The id of the last event that has one. A server gets it when the client connects again. */
  lastId: string;
  /** How long to wait before connecting again, if the server has told. */
  retryMs: number | undefined = undefined;
  readonly #isText: boolean;
  #event: ReceivedEvent = {};
  #data: string[] = [];
  #id: string | undefined = undefined;
  /** The server says that the data of this event is text. */
  #isMarked = false;

  /**
   * @param isText Whether all data stays text. Otherwise only that which the server has marked, or which is no JSON.
   * @param lastId The id that the stream begins after.
   */
  constructor(isText: boolean, lastId = '') {
    this.#isText = isText;
    this.lastId = lastId;
  }

  /** Drops an event that was cut off. */
  reset(): void {
    this.#event = {};
    this.#data = [];
    this.#id = undefined;
    this.#isMarked = false;
  }

  /** @returns The event that the line ends, if there is one. */
  read(line: string): ReceivedEvent | undefined {
    if (line === '') return this.#dispatch();
    if (line === textMark) this.#isMarked = true;
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event.event = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = this.#event.id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.#event.retry = this.retryMs = Number(value);
    return undefined;
  }

  /** Only fields for the connection are no event. */
  #dispatch(): ReceivedEvent | undefined {
    const [event, data, isText] = [this.#event, this.#data, this.#isText || this.#isMarked];
    this.lastId = this.#id ?? this.lastId;
    this.reset();
    if (data.length > 0) {
      const text = data.join('\n');
      event.data = isText ? text : parse(text);
    }
    return event.event === undefined && data.length === 0 ? undefined : event;
  }
}

/** JSON as its value; any other text as it is. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
