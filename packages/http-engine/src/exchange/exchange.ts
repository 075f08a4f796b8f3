/** Owns what an exchange is: one request and the place for its one answer, whoever serves its connection. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AnswerFields } from '../answer/field-lines.ts';
import { copyPayload, type Fill, fillBuffer, payloadStart, takeBuffer } from '../answer/kept-buffers.ts';

export type Payload = string | Uint8Array;

/** One request and the place for its one answer. */
export abstract class Exchange {
  /** Who serves the connection: the engine, or node with a pair of its objects. */
  abstract readonly lane: 'engine' | 'node';
  abstract readonly method: string;
  /** The request's target as it came: path and query. */
  abstract readonly target: string;
  abstract readonly socket: Socket;

  /**
   * The value of one field of the request, as `headers` has it, without building an object; a list is joined with `, `.
   *
   * @param name In lower case.
   */
  abstract header(name: string): string | undefined;
  /** The fields like node's `message.headers`; made on demand, once for each exchange. */
  abstract get headers(): IncomingHttpHeaders;
  /** Names as they came, and values, in turns; made on demand. */
  abstract get rawHeaders(): string[];

  /** Bytes of the body; undefined where it comes in chunks. */
  abstract get contentLength(): number | undefined;
  /**
   * Hands over the whole body: at once where it is there, else when its last byte has come. Either `take` is called or `fail`, once.
   * Whoever asks sees to the limit: `contentLength` tells what comes. For bodies in chunks, `mostBytes` does.
   */
  abstract readBody(take: (body: Buffer) => void, fail: (error: Error) => void, mostBytes?: number): void;
  /** The body as it arrives, with backpressure; the same object as `rawRequest`. */
  abstract get bodyStream(): Readable;

  /**
   * Answers with a payload that is there: head and payload leave with one write. `Content-Length` is written where the fields do not
   * hold it, as are `Date`, `Connection` and `Keep-Alive`. HEAD and statuses without content get no payload.
   *
   * @param lengthBytes Of a text that was measured already.
   * @throws node's own errors of invalid names, values and statuses; nothing is written then.
   */
  abstract respond(status: number, fields: AnswerFields, payload?: Payload, lengthBytes?: number): void;

  /**
   * Answers with bytes that `fill` writes into a buffer of the engine's, behind the head: no text is made of them, and nothing is copied.
   * `fill` gets the buffer and the place to begin at, and returns the place behind, or -1 where the payload does not fit into the buffer.
   *
   * @returns False where it does not fit: nothing is answered then.
   */
  respondInto(status: number, fields: AnswerFields, fill: Fill): boolean {
    const buffer = takeBuffer();
    const end = fillBuffer(buffer, fill);
    if (end < payloadStart) return false;
    this.respond(status, fields, copyPayload(buffer, end));
    return true;
  }

  /** Begins an answer that is written in pieces. */
  abstract writeHead(status: number, fields?: AnswerFields): void;
  /** @returns False when the writer should wait for `onceDrained`. */
  abstract write(piece: Payload): boolean;
  abstract end(piece?: Payload): void;
  abstract onceDrained(listener: () => void): void;

  abstract get isHeadWritten(): boolean;
  abstract get isEnded(): boolean;
  /** The client left, or the exchange was destroyed, before the answer had ended. */
  abstract get isDestroyed(): boolean;
  /** Ends the connection, whatever state the answer is in. */
  abstract destroy(error?: Error): void;

  /** Once the answer has been handed to the system, or failed. To be asked for before the answer. */
  abstract onFinished(listener: (error?: Error) => void): void;
  /** Once, when the client leaves before the answer has ended. Returns a function that stops listening. */
  abstract onClientGone(listener: () => void): () => void;

  /** Node's own objects on the same socket, made on demand. Headers set on the response are a part of the answer. */
  abstract get rawRequest(): IncomingMessage;
  abstract get rawResponse(): ServerResponse;
  abstract get hasRawRequest(): boolean;
  abstract get hasRawResponse(): boolean;
}
