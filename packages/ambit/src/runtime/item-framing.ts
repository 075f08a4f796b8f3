/** Writes streams of items in each media type: server-sent events (WHATWG HTML, 9.2.5 and 9.2.6), JSON lines and JSON arrays. */
import { textMark } from '../shared/typed-calls.ts';
import { EventInvalid } from '../types/errors.ts';
import { contentTypeOf, type Exchange } from '../types/exchange.ts';
import type { ItemFormat, ItemMediaType } from '../types/plan.ts';

/** How the items of a stream are written in one media type. */
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

/** A comment, which readers skip. It is the heartbeat, and is sent for an event without fields, which would otherwise have no bytes. */
const comment = ':\n\n';

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
    frameError: (json) => `event: error\ndata: ${json}\n\n`,
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

const lineEnd = /\r\n|\r|\n/;

/** The characters with which JSON can begin. */
const jsonStart = /^\s*[[{"\-\dtfn]/;

/**
 * @param text The event as JSON: an object with `data`, `event`, `id` and `retry`, each of which may be missing or null.
 * @returns The event's lines. A string in `data` is sent as it is; any other value is sent as JSON.
 * @throws {EventInvalid} for a field that the format cannot express, because readers would read it as another event.
 */
function writeEvent(text: string): string {
  const members = jsonMembers(text);
  if (members === undefined)
    throw new EventInvalid(`an event must be an object, instead got ${text.slice(0, 100)}`);
  let lines = '';
  if (isGiven(members.event)) lines += `event: ${oneLine('event', members.event)}\n`;
  if (isGiven(members.id)) lines += `id: ${readId(members.id)}\n`;
  if (isGiven(members.retry)) lines += `retry: ${readRetry(members.retry)}\n`;
  if (members.data !== undefined) lines += dataLines(members.data);
  return lines === '' ? comment : `${lines}\n`;
}

function dataLines(json: string): string {
  const text = textOf(json);
  let lines = text !== json && isJson(text) ? `${textMark}\n` : '';
  for (const line of text.split(lineEnd)) lines += `data: ${line}\n`;
  return lines;
}

function isJson(text: string): boolean {
  if (!jsonStart.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isGiven(value: string | undefined): value is string {
  return value !== undefined && value !== 'null';
}

/** Returns the text of a JSON string; the JSON itself for any other value. */
function textOf(json: string): string {
  return json.startsWith('"') ? JSON.parse(json) : json;
}

function oneLine(field: string, json: string): string {
  const text = textOf(json);
  if (lineEnd.test(text))
    throw new EventInvalid(`the ${field} of an event must be one line, instead got ${json}`);
  return text;
}

/** Rejects an id with a NUL, which readers would ignore. */
function readId(json: string): string {
  const id = oneLine('id', json);
  if (id.includes('\0'))
    throw new EventInvalid(`the id of an event must not contain NUL, instead got ${json}`);
  return id;
}

/** Rejects everything except ASCII digits, which readers would ignore. */
function readRetry(json: string): string {
  if (/^\d+$/.test(json)) return json;
  throw new EventInvalid(
    `the retry of an event must be an integer >= 0, in milliseconds, instead got ${json}`,
  );
}

/**
 * Splits a JSON object into its members without parsing the values: numbers keep their digits, and strings their escapes.
 *
 * @param text Valid JSON.
 * @returns The text of each value by its name, or `undefined` if the text is not an object.
 */
function jsonMembers(text: string): { [name: string]: string } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const members: { [name: string]: string } = { __proto__: null as never };
  let depth = 0;
  let name: string | undefined;
  /** Where the text of the name or the value begins. */
  let from = text.indexOf('{') + 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (depth === 0 && character === ':') {
      name = JSON.parse(text.slice(from, at)) as string;
      from = at + 1;
    } else if (depth === 0 && (character === ',' || character === '}')) {
      if (name !== undefined) members[name] = text.slice(from, at).trim();
      from = at + 1;
    } else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return members;
}

/** Returns the index of the closing quote. It does not follow an odd number of backslashes. */
function endOfString(text: string, at: number): number {
  let quote = at;
  let from: number;
  do {
    quote = text.indexOf('"', quote + 1);
    from = quote;
    while (text[from - 1] === '\\') from--;
  } while ((quote - from) % 2 === 1);
  return quote;
}
