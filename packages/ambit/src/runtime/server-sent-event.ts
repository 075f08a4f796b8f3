/** Writes one event of a `text/event-stream` (WHATWG HTML, 9.2.5 and 9.2.6). */

import { textMark } from '../shared/event-text-mark.ts';
import { jsonMembers } from '../shared/json-members.ts';
import { EventInvalid } from '../types/errors.ts';

/** A comment, which readers skip. It is the heartbeat, and is sent for an event without fields, which would otherwise have no bytes. */
export const comment = ':\n\n';

const lineEnd = /\r\n|\r|\n/;

/** The characters with which JSON can begin. */
const jsonStart = /^\s*[[{"\-\dtfn]/;

/**
 * @param text The event as JSON: an object with `data`, `event`, `id` and `retry`, each of which may be missing or null.
 * @returns The event's lines. A string in `data` is sent as it is; any other value is sent as JSON.
 * @throws {EventInvalid} for a field that the format cannot express, because readers would read it as another event.
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

/** Writes the event that tells readers that a stream has failed. */
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
