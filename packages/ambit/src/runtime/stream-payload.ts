/** Pipes a node stream into the response; an error before the first byte can still be answered, a later one cuts it off. */
import { finished, type Readable } from 'node:stream';
import { PayloadTypeInvalid } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { closeStream } from '../shared/payload-shapes.ts';
import { log } from './log.ts';
import type { OnFailure } from './settle.ts';
import { endWithTrailers } from './trailers.ts';

/** Older streams and file handles end in other ways than `destroy`. */
type StreamLike = Readable & { close?: (done: () => void) => void; abort?: () => void };

export function sendStream(x: Exchange, stream: StreamLike, onFailure: OnFailure): void {
  const responseEpoch = x.responseEpoch;
  const mayYieldAnything = stream.readableObjectMode === true;
  // With trailers, the end of the source ends the response, not the pipe.
  const endsWithPipe = x.trailers === undefined && !mayYieldAnything;
  let isSourceOpen = true;
  let isReported = false;
  const report = (error: Error): void => {
    if (!isReported) x.plan.logLines.streamError(error, x.request, x.reply);
    isReported = true;
  };

  finished(stream, { readable: true, writable: false }, (error) => {
    isSourceOpen = false;
    if (error == null) {
      if (!endsWithPipe) endWithTrailers(x, null);
    } else if (x.isHeadWritten || x.isAborted) {
      report(error);
      x.destroy();
    } else if (x.responseEpoch === responseEpoch) {
      onFailure(x, error);
    }
  });

  finished(x.responseStream, (error) => {
    if (!isSourceOpen) return;
    if (error != null && x.isHeadWritten) report(error);
    if (!closeStream(stream)) log(x, 'warn', 'stream payload does not end properly');
  });

  setHeaders(x);
  if (mayYieldAnything) pump(x, stream);
  else stream.pipe(x.responseStream, { end: endsWithPipe });
}

/** Reads a stream in object mode: a pipe would throw at a chunk that is no bytes, from where nobody can catch it. */
function pump(x: Exchange, stream: Readable): void {
  const { responseEpoch } = x;
  stream.on('data', (chunk: unknown) => {
    if (x.isDestroyed || x.isEnded || x.responseEpoch !== responseEpoch) return;
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
      stream.destroy(new PayloadTypeInvalid(typeof chunk));
    } else if (!x.write(chunk)) {
      stream.pause();
      x.onceDrained(() => stream.resume());
    }
  });
}

/** Headers are set, not written: until data comes, an error can still take their place. */
export function setHeaders(x: Exchange): void {
  if (x.isHeadWritten) {
    log(x, 'warn', "response will send, but you shouldn't use res.writeHead in stream mode");
    return;
  }
  for (const name in x.replyHeaders) x.setHeader(name, x.replyHeaders[name]);
}
