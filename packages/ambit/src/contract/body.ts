/** Bodies on their way to a parser. */
import type { Readable } from 'node:stream';

/** A stream of body bytes. `receivedEncodedLength` counts bytes before decoding, for hooks that decompress. */
export type BodyStream = Readable & { receivedEncodedLength?: number };

export type PoisoningAction = 'error' | 'remove' | 'ignore';
