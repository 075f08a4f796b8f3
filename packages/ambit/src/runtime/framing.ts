/** How a stream of items is written in each media type of `itemMediaTypes`: its headers, and the frames of its items. */
import type { Exchange } from '../contract/exchange.ts';
import type { ItemFormat, ItemMediaType } from '../contract/item-format.ts';
import { contentTypeOf } from './reply-head.ts';
import { comment, writeErrorEvent, writeEvent } from './server-sent-event.ts';

export interface Framing {
  /** What comes before the first item. */
  readonly start: string;
  /** @param json One item. */
  frame(json: string, isFirst: boolean): string;
  /** What comes after the last item. */
  readonly end: string;
  /** What readers skip, where the media type has that. */
  readonly heartbeat: string | undefined;
  /** Tells readers of an error, given as JSON. Where it is missing, only a connection that is cut tells them. */
  readonly frameError: ((json: string) => string) | undefined;
}

const lines: Framing = {
  start: '',
  frame: (json) => `${inOneLine(json)}\n`,
  end: '',
  heartbeat: undefined,
  frameError: undefined,
};

export const framings: Readonly<Record<ItemMediaType, Framing>> = {
  'text/event-stream': {
    ...lines,
    frame: writeEvent,
    heartbeat: comment,
    frameError: writeErrorEvent,
  },
  'application/jsonl': lines,
  'application/x-ndjson': lines,
  // RFC 7464, 2.2.
  'application/json-seq': { ...lines, frame: (json) => `\x1e${inOneLine(json)}\n` },
  'application/json': {
    ...lines,
    start: '[',
    frame: (json, isFirst) => (isFirst ? json : `,${json}`),
    end: ']',
  },
};

/** In JSON, line ends are only between tokens: a serializer of the application's own may write some. */
function inOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

export function setStreamHeaders(x: Exchange, { mediaType }: ItemFormat): void {
  const { replyHeaders } = x;
  if (contentTypeOf(x) === undefined)
    replyHeaders['content-type'] =
      mediaType === 'application/json' ? `${mediaType}; charset=utf-8` : mediaType;
  // The length of what is not written yet is not known.
  delete replyHeaders['content-length'];
  if (mediaType !== 'text/event-stream') return;
  replyHeaders['cache-control'] ??= 'no-cache';
  // Without it, nginx collects events until its buffer is full.
  replyHeaders['x-accel-buffering'] ??= 'no';
}
