/** Owns the body on its way in: which parser takes it, and what it makes of it. */
import { ContentTypeMissing, MediaTypeUnsupported } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { BodyParser } from '../contract/plan.ts';
import { firstFieldText, isInRange, type MediaType, parseMediaType } from '../shared/media-type.ts';
import { isThenable } from '../shared/thenable.ts';
import { collect } from './collect-body.ts';
import { setStatus } from './reply-head.ts';

/** Where the request goes on once `request.body` is set, or could not be. */
export type AfterBody = (x: Exchange, error: unknown) => void;

const noMediaType: MediaType = parseMediaType(undefined);

// HOT: once per request. Methods without a body pass straight through.
export function readBody(x: Exchange, after: AfterBody): void {
  const { plan, method } = x;
  if (!plan.bodyMethods.has(method)) {
    after(x, undefined);
    return;
  }
  const header = firstFieldText(x.headers['content-type']);
  if (header === undefined) readUntyped(x, after);
  else {
    x.mediaType ??= parseMediaType(header);
    const { mediaType } = x;
    if (mediaType.essence === undefined) after(x, withStatus(x, new MediaTypeUnsupported()));
    else if (isAccepted(x, mediaType.essence)) parse(x, mediaType, after);
    // A type that is not covered is refused before the body is known to be empty.
    else after(x, x.hasBody === false ? undefined : new MediaTypeUnsupported(accepted(x)));
  }
}

function readUntyped(x: Exchange, after: AfterBody): void {
  if (x.method === 'QUERY') {
    // RFC 10008, 2: a query without a media type says nothing.
    setStatus(x, 400);
    after(x, new ContentTypeMissing(x.method));
  } else if (x.hasBody !== true) after(x, undefined);
  else if (x.plan.acceptedTypes !== undefined) after(x, new MediaTypeUnsupported(accepted(x)));
  else parse(x, noMediaType, after);
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

function parse(x: Exchange, mediaType: MediaType, after: AfterBody): void {
  const parser = x.plan.findParser(mediaType);
  if (parser === undefined) {
    after(x, x.plan.isNotFound ? undefined : new MediaTypeUnsupported());
    return;
  }
  if (parser.collectAs === undefined) {
    runParser(x, parser, x.bodyStream ?? x.streamBody(), after);
    return;
  }
  // The promise is more than a convenience: it carries the caller's AsyncLocalStorage across the events of the stream.
  new Promise<string | Buffer>((resolve, reject) => collect(x, parser, resolve, reject)).then(
    (collected) => {
      if (parser.read !== undefined) readNow(x, parser.read, collected as string, after);
      else runParser(x, parser, collected, after);
    },
    (error) => finish(x, error, undefined, after),
  );
}

function readNow(x: Exchange, read: (text: string) => unknown, text: string, after: AfterBody): void {
  let body: unknown;
  try {
    body = read(text);
  } catch (error) {
    finish(x, error, undefined, after);
    return;
  }
  finish(x, undefined, body, after);
}

/** How a parser ended: without an error, `body` is what it made of the body. */
interface Outcome {
  readonly error: unknown;
  readonly body: unknown;
}

/** Runs a parser, which ends once, at once or later; what it says after that no longer counts. */
function runParser(x: Exchange, parser: BodyParser, collected: unknown, after: AfterBody): void {
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
  if (outcome !== undefined) finish(x, outcome.error, outcome.body, after);
  // Wherever the parser calls `done` from: the request goes on where it was.
  else
    new Promise<void>((resolve) => (wake = resolve)).then(() =>
      finish(x, outcome!.error, outcome!.body, after),
    );
}

function finish(x: Exchange, error: unknown, body: unknown, after: AfterBody): void {
  if (error == null) {
    x.request.body = body;
    after(x, undefined);
    return;
  }
  // The client may still be sending: the connection cannot carry another request.
  x.closeAfterResponse();
  after(x, error);
}
