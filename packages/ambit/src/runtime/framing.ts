/** Writes streams of items in each media type of `itemMediaTypes`: their headers, and the framing of their items. */
import type { Exchange } from '../types/exchange.ts';
import type { ItemFormat, ItemMediaType } from '../types/plan.ts';
import { contentTypeOf } from './reply-head.ts';
import { comment, writeErrorEvent, writeEvent } from './server-sent-event.ts';

export interface Framing {
  /** The text before the first item. */
  readonly start: string;
  /** @param json One item. */
  frame(json: string, isFirst: boolean): string;
  /** The text after the last item. */
  readonly end: string;
  /** A text that readers skip, if the media type has one. */
  readonly heartbeat: string | undefined;
  /** Writes an error, which is passed as JSON. If it is missing, readers only notice an error because the connection is cut off. */
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

/** Replaces line ends, which a serializer of the application may write. In JSON, they are only possible between tokens. */
function inOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

export function setStreamHeaders(x: Exchange, { mediaType }: ItemFormat): void {
  const { replyHeaders } = x;
  if (contentTypeOf(x) === undefined)
    replyHeaders['content-type'] =
      mediaType === 'application/json' ? `${mediaType}; charset=utf-8` : mediaType;
  // The length is not known before everything is written.
  delete replyHeaders['content-length'];
  if (mediaType !== 'text/event-stream') return;
  replyHeaders['cache-control'] ??= 'no-cache';
  // Without this header, nginx holds back events until its buffer is full.
  replyHeaders['x-accel-buffering'] ??= 'no';
}
