/**
 * Writes a node stream into the response, as fast as the client reads. An error before the first byte gets a reply; a later one cuts it
 * off.
 */
import { finished, Readable } from 'node:stream';
import { closeStream } from '../shared/payload-shapes.ts';
import { PayloadTypeInvalid } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { type DeclaredLength, declaredLengthOf } from './declared-length.ts';
import { log } from './log.ts';
import { publishFailure } from './request-channels.ts';
import { fail } from './run-steps.ts';
import { endWithTrailers } from './trailers.ts';

/** Older streams and file handles have `close` or `abort` instead of `destroy`. */
type StreamLike = Readable & { close?: (done: () => void) => void; abort?: () => void };

export function sendStream(x: Exchange, stream: StreamLike): void {
  const responseEpoch = x.responseEpoch;
  let isSourceOpen = true;
  let isReported = false;
  let hasFailed = false;
  const report = (error: Error): void => {
    if (!isReported) x.plan.logWriter.streamError(error, x.request, x.reply);
    isReported = true;
  };
  const end = (): void => {
    if (isSourceOpen && x.responseEpoch === responseEpoch) {
      const mismatch = length?.checkEnd();
      if (mismatch === undefined) endWithTrailers(x, null);
      else stop(mismatch);
    }
    isSourceOpen = false;
  };
  const stop = (error: Error): void => {
    // Closing a stream after a failure, or before its end, may cause another error of the stream.
    if (hasFailed || (x.method === 'HEAD' && !isSourceOpen)) return;
    hasFailed = true;
    isSourceOpen = false;
    if (x.isHeadWritten || x.isClientGone) {
      report(error);
      if (!x.isClientGone) publishFailure(x, error);
      x.destroy();
    } else if (x.responseEpoch === responseEpoch) {
      fail(x, error);
    }
  };

  finished(stream, { readable: true, writable: false }, (error) => {
    if (error == null) end();
    else stop(error);
  });
  x.onceClosed((error) => {
    if (!isSourceOpen) return;
    if (error != null && x.isHeadWritten) report(error);
    if (!closeStream(stream)) log(x, 'warn', 'stream payload does not end properly');
  });

  prepareHead(x);
  const response = pipesByItself(stream) ? x.pipeTarget : undefined;
  const length = response === undefined ? declaredLengthOf(x) : undefined;
  if (response === undefined) pump(x, stream, length, end, stop);
  else stream.pipe(response, { end: x.trailers === undefined });
}

/**
 * Whether a stream has its own `pipe`. Clients such as `got` use it to set the status and the headers of what they fetch on node's
 * response.
 */
function pipesByItself(stream: Readable): boolean {
  return stream.pipe !== Readable.prototype.pipe && stream.readableObjectMode !== true;
}

function pump(
  x: Exchange,
  stream: Readable,
  length: DeclaredLength | undefined,
  end: () => void,
  stop: (error: Error) => void,
): void {
  const { responseEpoch } = x;
  let listensToDrain = false;
  const write = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      throw new PayloadTypeInvalid(typeof chunk);
    length?.add(chunk);
    if (x.write(chunk)) return;
    stream.pause();
    if (!listensToDrain) x.onDrained(() => stream.resume());
    listensToDrain = true;
  };
  stream.on('data', (chunk: unknown) => {
    if (x.isDestroyed || x.isEnded || x.responseEpoch !== responseEpoch) return;
    if (x.method === 'HEAD') {
      // The first chunk shows that the stream works, and the rest is not needed.
      end();
      closeStream(stream);
      return;
    }
    try {
      write(chunk);
    } catch (error) {
      // Not thrown, because nothing could catch it in an event listener of the stream.
      stop(error as Error);
      closeStream(stream);
    }
  });
  // `end` and not `close`, which may come much later.
  stream.on('end', end);
  // A paused stream does not start by itself.
  if (stream.isPaused?.()) stream.resume();
}

/** Sets the headers without writing them. Until data arrives, an error reply can still replace them. */
export function prepareHead(x: Exchange): void {
  if (x.isHeadWritten) {
    log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    return;
  }
  x.prepareHead(x.replyHeaders);
}
