/** Reads a web stream into the response at the pace of the client. */
import { ReadableStreamLocked } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { cancelStream } from '../shared/payload-shapes.ts';
import { prepareHead } from './stream-payload.ts';
import { endWithTrailers } from './trailers.ts';
import { fail } from './walk.ts';

export function sendWebStream(x: Exchange, stream: ReadableStream<Uint8Array | string>): void {
  if (stream.locked) throw new ReadableStreamLocked();
  const reader = stream.getReader();
  const responseEpoch = x.responseEpoch;
  let isSourceOpen = true;
  let isReported = false;
  const report = (error: Error): void => {
    if (!isReported) x.plan.logLines.streamError(error, x.request, x.reply);
    isReported = true;
  };

  x.onceClosed((error) => {
    if (!isSourceOpen) return;
    if (error != null && x.isHeadWritten) report(error);
    cancelStream(reader);
  });
  prepareHead(x);
  if (x.method === 'HEAD' || x.status === 304) {
    // Such a response describes its content only: whatever is written is dropped at once, however much comes.
    isSourceOpen = false;
    cancelStream(reader);
    endWithTrailers(x, null);
    return;
  }

  const stop = (error: Error): void => {
    isSourceOpen = false;
    // It was not the source that failed when a chunk is of a kind that cannot be written.
    cancelStream(reader, error);
    if (x.isHeadWritten || x.isClientGone) {
      report(error);
      x.destroy();
    } else if (x.responseEpoch === responseEpoch) {
      fail(x, error);
    }
  };
  let isWaiting = false;
  let listensToDrain = false;
  const awaitDrain = (): void => {
    isWaiting = true;
    if (!listensToDrain) x.onDrained(goOn);
    listensToDrain = true;
  };
  const goOn = (): void => {
    if (!isWaiting || x.isDestroyed) return;
    isWaiting = false;
    readNext();
  };
  const readNext = (): void => {
    reader
      .read()
      .then(({ done, value }) => {
        if (done) {
          isSourceOpen = false;
          endWithTrailers(x, null);
        } else if (!x.isDestroyed) {
          if (x.write(value)) readNext();
          else awaitDrain();
        }
      })
      .catch(stop);
  };
  readNext();
}
