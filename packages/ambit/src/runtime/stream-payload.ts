/** Writes a node stream into the response at the pace of the client; an error before the first byte can still be answered, a later one cuts it off. */
import { finished, Readable } from 'node:stream';
import { PayloadTypeInvalid } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { closeStream } from '../shared/payload-shapes.ts';
import { log } from './log.ts';
import { publishFailure } from './request-channels.ts';
import { fail } from './run-steps.ts';
import { endWithTrailers } from './trailers.ts';

/** Older streams and file handles end in other ways than `destroy`. */
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
    if (isSourceOpen && x.responseEpoch === responseEpoch) endWithTrailers(x, null);
    isSourceOpen = false;
  };
  const stop = (error: Error): void => {
    // Closing a stream for what it yielded is one more error of it.
    if (hasFailed) return;
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
  if (response === undefined) pump(x, stream, end, stop);
  else stream.pipe(response, { end: x.trailers === undefined });
}

/** Clients such as `got` put the status and the headers of what they fetch into node's response, in a `pipe` of their own. */
function pipesByItself(stream: Readable): boolean {
  return stream.pipe !== Readable.prototype.pipe && stream.readableObjectMode !== true;
}

function pump(x: Exchange, stream: Readable, end: () => void, stop: (error: Error) => void): void {
  const { responseEpoch } = x;
  let listensToDrain = false;
  const write = (chunk: unknown): void => {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
      throw new PayloadTypeInvalid(typeof chunk);
    if (x.write(chunk)) return;
    stream.pause();
    if (!listensToDrain) x.onDrained(() => stream.resume());
    listensToDrain = true;
  };
  stream.on('data', (chunk: unknown) => {
    if (x.isDestroyed || x.isEnded || x.responseEpoch !== responseEpoch) return;
    try {
      write(chunk);
    } catch (error) {
      // Nobody could catch it in an event of the stream.
      stop(error as Error);
      closeStream(stream);
    }
  });
  // Not at `close`, which may come much later.
  stream.on('end', end);
  // A stream that was paused does not start by itself.
  if (stream.isPaused?.()) stream.resume();
}

/** Headers are set, not written: until data comes, an error can still take their place. */
export function prepareHead(x: Exchange): void {
  if (x.isHeadWritten) {
    log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    return;
  }
  x.prepareHead(x.replyHeaders);
}
