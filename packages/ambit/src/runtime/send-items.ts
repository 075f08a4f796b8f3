/** Sends an async iterable with the item schema of the route. */
import { Readable } from 'node:stream';
import { AsyncIterableSent } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { setStreamHeaders } from './framing.ts';
import { closeIterator, ItemStream } from './item-stream.ts';
import { log } from './log.ts';
import { OpenStreams } from './open-streams.ts';
import { contentTypeOf } from './reply-head.ts';
import { startPath } from './run-steps.ts';

export function sendItems(x: Exchange, iterable: AsyncIterable<unknown>): void {
  const iterator = iterable[Symbol.asyncIterator]();
  if (x.method === 'HEAD') {
    sendHead(x, iterator);
    return;
  }
  const { server } = x.plan;
  server.streams ??= new OpenStreams();
  new ItemStream(x, iterator, server.streams as OpenStreams).start();
}

/** Replies to HEAD. No items are read, so a generator does not start. */
function sendHead(x: Exchange, iterator: AsyncIterator<unknown>): void {
  closeIterator(iterator, (error) => log(x, 'warn', { err: error }, 'a stream could not be closed'));
  const format = x.plan.items!.pick(x.status, contentTypeOf(x));
  if (format === undefined) throw new AsyncIterableSent();
  setStreamHeaders(x, format);
  // A stream, because the length of the response to GET is not known.
  x.payload = Readable.from([]);
  startPath(x, x.plan.steps.reply, x.plan.steps.deliverAt);
}
