/** The step that reads the body: it selects the parser and runs it. */

import { firstFieldText, isInRange, type MediaType, parseMediaType } from '../shared/media-type.ts';
import { isThenable } from '../shared/thenable.ts';
import { ContentTypeMissing, MediaTypeUnsupported } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { BodyParser } from '../types/plan.ts';
import { collect } from './collect-body.ts';
import { defaultNotFoundHandler } from './not-found.ts';
import { ensureError } from './prepare-error.ts';
import { setStatus } from './reply-head.ts';
import { fail, isCurrent, walk } from './run-steps.ts';

const noMediaType: MediaType = parseMediaType(undefined);

// HOT: once per request of a route that may have a body.
/** Reads and parses the body. @throws An error of the catalogue if its media type is not accepted. */
export function readBody(x: Exchange): boolean {
  if (!x.plan.bodyMethods.has(x.method)) return true;
  const header = firstFieldText(x.header('content-type'));
  if (header === undefined) return readUntyped(x);
  x.mediaType ??= parseMediaType(header);
  const { mediaType } = x;
  if (mediaType.essence === undefined) throw withStatus(x, new MediaTypeUnsupported());
  if (isAccepted(x, mediaType.essence)) return parse(x, mediaType);
  // A media type that is not accepted is rejected unless the body is known to be empty.
  if (x.hasBody !== false) throw new MediaTypeUnsupported(accepted(x));
  return true;
}

function readUntyped(x: Exchange): boolean {
  // RFC 10008, 2: a QUERY request must name the media type of its content.
  if (x.method === 'QUERY') throw withStatus(x, new ContentTypeMissing(x.method));
  if (x.hasBody !== true) return true;
  if (x.plan.acceptedTypes !== undefined) throw new MediaTypeUnsupported(accepted(x));
  return parse(x, noMediaType);
}

function withStatus(x: Exchange, error: Error & { statusCode: number }): Error {
  setStatus(x, error.statusCode);
  return error;
}

/** Whether the schema covers the media type. Other bodies are rejected (specification 3.8), because they would not be validated. */
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
  if (x.plan.isNotFound && isAnsweredByHead(x)) return true;
  const { responseEpoch } = x;
  if (parser.collectAs === undefined) runParser(x, parser, x.bodyStream ?? x.streamBody(), responseEpoch);
  else {
    // The promise is needed: it keeps the AsyncLocalStorage of the caller, which the events of the stream do not have.
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

/**
 * Whether nobody would see the body of a request without a route, whose client sends it only when asked: it gets 404 without 100 (Continue).
 */
function isAnsweredByHead(x: Exchange): boolean {
  const { handler, steps } = x.plan;
  return (
    handler === defaultNotFoundHandler &&
    steps.request.at(-2)!.name === 'readBody' &&
    x.requestHeader('expect') !== undefined &&
    (x.bodyStream === undefined || x.bodyStream === x.streamBody())
  );
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

/** The result of a parser: `body` is the parsed body if there is no error. */
interface Outcome {
  readonly error: unknown;
  readonly body: unknown;
}

/** Runs a parser. Its first result counts, synchronous or later. */
function runParser(x: Exchange, parser: BodyParser, collected: unknown, responseEpoch: number): void {
  let outcome = undefined as Outcome | undefined;
  let resume: (() => void) | undefined;
  const settle = (error: unknown, body?: unknown): void => {
    if (outcome !== undefined) return;
    outcome = { error, body };
    resume?.();
  };
  const reject = (error: unknown): void => settle(error ?? new Error('the body could not be parsed'));
  try {
    const result = parser.parse(x.request, collected as never, settle);
    if (isThenable(result)) result.then((body) => settle(undefined, body), reject);
  } catch (error) {
    reject(error);
  }
  if (outcome !== undefined) finish(x, outcome.error, outcome.body, responseEpoch);
  // The promise keeps the AsyncLocalStorage of this call, whatever context the parser calls `done` in.
  else
    new Promise<void>((resolve) => (resume = resolve)).then(() =>
      finish(x, outcome!.error, outcome!.body, responseEpoch),
    );
}

function finish(x: Exchange, error: unknown, body: unknown, responseEpoch: number): void {
  const isParsed = error === undefined || error === null;
  if (isParsed) x.request.body = body;
  // The client may still send the body, so the connection cannot be used for another request. After a time limit, the head may be written
  // already.
  else if (!x.isHeadWritten) x.closeAfterResponse();
  if (!isCurrent(x, responseEpoch)) return;
  if (isParsed) walk(x);
  else fail(x, ensureError(error));
}
