/** Writes one event of a `text/event-stream` (WHATWG HTML, 9.2.5 and 9.2.6). */
import { EventInvalid } from '../contract/errors.ts';
import { textMark } from '../shared/event-text-mark.ts';
import { jsonMembers } from '../shared/json-members.ts';

/** Readers skip it. It takes the place of an event without fields, which would be no bytes at all, and it is the heartbeat. */
export const comment = ':\n\n';

const lineEnd = /\r\n|\r|\n/;

/** How JSON begins. */
const jsonStart = /^\s*[[{"\-\dtfn]/;

/**
 * @param text The event as JSON: an object with `data`, `event`, `id` and `retry`, each of which may be missing or null.
 * @returns The event's lines. Data that is a text is sent as it is, anything else as JSON.
 * @throws {EventInvalid} for a field that the format cannot express: readers would take it for another event.
 */
export function writeEvent(text: string): string {
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

/** The event that tells readers that a stream has failed. */
export function writeErrorEvent(problem: string): string {
  return `event: error\ndata: ${problem}\n\n`;
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

/** A JSON string as its text; the JSON of any other value. */
function textOf(json: string): string {
  return json.startsWith('"') ? JSON.parse(json) : json;
}

function oneLine(field: string, json: string): string {
  const text = textOf(json);
  if (lineEnd.test(text))
    throw new EventInvalid(`the ${field} of an event must be one line, instead got ${json}`);
  return text;
}

/** Readers ignore an id with a NUL. */
function readId(json: string): string {
  const id = oneLine('id', json);
  if (id.includes('\0'))
    throw new EventInvalid(`the id of an event must not contain NUL, instead got ${json}`);
  return id;
}

/** Readers ignore anything but ASCII digits. */
function readRetry(json: string): string {
  if (/^\d+$/.test(json)) return json;
  throw new EventInvalid(
    `the retry of an event must be an integer >= 0, in milliseconds, instead got ${json}`,
  );
}
