/** How each media type of `itemMediaTypes` frames the items of a stream. */
import type { ItemMediaType } from '../contract/item-format.ts';
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
