/** The types of body parsers. */
import type { Readable } from 'node:stream';
import type { Context } from './context.ts';
import type { PayloadDone, Settled } from './hooks.ts';
import type { RequestOf } from './request.ts';

/** A stream of body bytes. A hook that decompresses sets `receivedEncodedLength` to the number of bytes before decoding. */
export type BodyStream = Readable & { receivedEncodedLength?: number };

/** What to do about a dangerous key in a JSON body: answer 400 (`error`), leave the key out (`remove`), or keep it (`ignore`). */
export type PoisoningAction = 'error' | 'remove' | 'ignore';

/** Why JSON with such a key is refused: the end of a message that begins with what has the key, the body or a field of a form. */
export const poisonProblem =
  "must not contain the key '__proto__', nor 'constructor' with 'prototype' in it: they can change the prototype of objects";

/** Parses a body that it reads as a stream. It must limit the size itself. */
export type StreamParser = (
  this: Context,
  request: RequestOf,
  payload: BodyStream,
  done: PayloadDone,
) => Settled;

/** Parses a body that was collected as text or as bytes. */
export type CollectedParser<Body extends string | Buffer> = (
  this: Context,
  request: RequestOf,
  body: Body,
  done: PayloadDone,
) => Settled;
