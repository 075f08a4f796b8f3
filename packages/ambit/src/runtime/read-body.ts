/** The step that reads the body: which parser takes it, and what it makes of it. */

import { ContentTypeMissing, MediaTypeUnsupported } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BodyParser } from '../contract/plan.ts';
import { firstFieldText, isInRange, type MediaType, parseMediaType } from '../shared/media-type.ts';
import { isThenable } from '../shared/thenable.ts';
import { collect } from './collect-body.ts';
import { ensureError } from './errors.ts';
import { setStatus } from './reply-head.ts';
import { fail, isCurrent, walk } from './walk.ts';

const noMediaType: MediaType = parseMediaType(undefined);

// HOT: once per request of a route that may have a body.
/** Reads and parses the body. @throws when it cannot be accepted. */
export function readBody(x: Exchange): boolean {
  if (!x.plan.bodyMethods.has(x.method)) return true;
  const header = firstFieldText(x.headers['content-type']);
  if (header === undefined) return readUntyped(x);
  x.mediaType ??= parseMediaType(header);
  const { mediaType } = x;
  if (mediaType.essence === undefined) throw withStatus(x, new MediaTypeUnsupported());
  if (isAccepted(x, mediaType.essence)) return parse(x, mediaType);
  // A type that is not covered is refused before the body is known to be empty.
  if (x.hasBody !== false) throw new MediaTypeUnsupported(accepted(x));
  return true;
}

function readUntyped(x: Exchange): boolean {
  // RFC 10008, 2: a query without a media type says nothing.
  if (x.method === 'QUERY') throw withStatus(x, new ContentTypeMissing(x.method));
  if (x.hasBody !== true) return true;
  if (x.plan.acceptedTypes !== undefined) throw new MediaTypeUnsupported(accepted(x));
  return parse(x, noMediaType);
}

function withStatus(x: Exchange, error: Error & { statusCode: number }): Error {
  setStatus(x, error.statusCode);
  return error;
}

/** A body schema must not be walked around by a body of another type: only what it covers gets in. */
function isAccepted(x: Exchange, essence: string): boolean {
  const { acceptedTypes } = x.plan;
  if (acceptedTypes === undefined) return true;
  return acceptedTypes[0] === essence || acceptedTypes.some((type) => isInRange(type, essence));
}

function accepted(x: Exchange): string {
  return x.plan.acceptedTypes!.join(', ');
}

function parse(x: Exchange, mediaType: MediaType): boolean {
  const parser = x.plan.findParser(mediaType);
  if (parser === undefined) {
    if (x.plan.isNotFound) return true;
    throw new MediaTypeUnsupported();
  }
  const { responseEpoch } = x;
  if (parser.collectAs === undefined) runParser(x, parser, x.bodyStream ?? x.streamBody(), responseEpoch);
  else {
    // The promise is more than a convenience: it carries the caller's AsyncLocalStorage across the events of the stream.
    new Promise<string | Buffer>((resolve, reject) => collect(x, parser, resolve, reject)).then(
      (collected) => {
        if (parser.read === undefined) runParser(x, parser, collected, responseEpoch);
        else readText(x, parser.read, collected as string, responseEpoch);
      },
      (error) => finish(x, error, undefined, responseEpoch),
    );
  }
  return false;
}

function readText(x: Exchange, read: (text: string) => unknown, text: string, responseEpoch: number): void {
  let body: unknown;
  try {
    body = read(text);
  } catch (error) {
    finish(x, error, undefined, responseEpoch);
    return;
  }
  finish(x, undefined, body, responseEpoch);
}

/** How a parser ended: without an error, `body` is what it made of the body. */
interface Outcome {
  readonly error: unknown;
  readonly body: unknown;
}

/** Runs a parser, which ends once, at once or later; what it says after that no longer counts. */
function runParser(x: Exchange, parser: BodyParser, collected: unknown, responseEpoch: number): void {
  let outcome = undefined as Outcome | undefined;
  let wake: (() => void) | undefined;
  const settle = (error: unknown, body?: unknown): void => {
    if (outcome !== undefined) return;
    outcome = { error, body };
    wake?.();
  };
  const refuse = (error: unknown): void => settle(error ?? new Error('the body could not be parsed'));
  try {
    const result = parser.parse(x.request, collected as never, settle);
    if (isThenable(result)) result.then((body) => settle(undefined, body), refuse);
  } catch (error) {
    refuse(error);
  }
  if (outcome !== undefined) finish(x, outcome.error, outcome.body, responseEpoch);
  // Wherever the parser calls `done` from: the request goes on where it was.
  else
    new Promise<void>((resolve) => (wake = resolve)).then(() =>
      finish(x, outcome!.error, outcome!.body, responseEpoch),
    );
}

function finish(x: Exchange, error: unknown, body: unknown, responseEpoch: number): void {
  const isParsed = error === undefined || error === null;
  if (isParsed) x.request.body = body;
  // The client may still be sending: the connection cannot carry another request.
  else x.closeAfterResponse();
  if (!isCurrent(x, responseEpoch)) return;
  if (isParsed) walk(x);
  else fail(x, ensureError(error));
}
