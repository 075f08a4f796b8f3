/** Defines exchanges: one request and the place for its one response, whether the engine or node serves the connection. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AnswerFields, FieldValue } from './answer-head.ts';

/** The content of a response. */
export type Payload = string | Uint8Array;

/** One request and the place for its one response. */
export abstract class Exchange {
  /** Whether the engine serves the connection, or node, with a pair of its own objects. */
  abstract readonly lane: 'engine' | 'node';
  /** The method of the request. */
  abstract readonly method: string;
  /** The target of the request as it was sent: path and query. */
  abstract readonly target: string;
  /** The socket of the connection. */
  abstract readonly socket: Socket;
  /** Free for the code that serves the request, which can find it again with `Engine.exchangesOf`. The engine never uses it. */
  abstract owner: unknown;

  /**
   * The value of one field of the request, as in `headers`, without creating that object; a list is joined with `, `.
   *
   * @param name In lower case.
   */
  abstract header(name: string): string | undefined;
  /** The fields as in node's `message.headers`, created when you read them, once for each exchange. */
  abstract get headers(): IncomingHttpHeaders;
  /** Names as they were sent, and values, alternating. Created when you read them. */
  abstract get rawHeaders(): string[];

  /** The length of the body in bytes; `undefined` for a chunked body. */
  abstract readonly contentLength: number | undefined;
  /**
   * Reads the whole body. Either `take` or `fail` is called, once: at once if the body is complete, otherwise when its last byte has
   * arrived.
   *
   * @param take Gets the body.
   * @param fail Gets the error: the client has left, or the body is too long.
   * @param maxBytes The longest chunked body, in bytes. Default: no limit. For other bodies, compare `contentLength` first.
   */
  abstract readBody(take: (body: Buffer) => void, fail: (error: Error) => void, maxBytes?: number): void;
  /** The body as it arrives, with backpressure; the same object as `rawRequest`. */
  get bodyStream(): Readable {
    return this.rawRequest;
  }

  /**
   * Sends the whole response in one write. `Content-Length`, `Date`, `Connection` and `Keep-Alive` are added unless the fields
   * contain them. HEAD and statuses without content get no payload.
   *
   * @param status The status.
   * @param fields The fields of the response.
   * @param payload Default: none.
   * @param lengthBytes The length of a text payload in bytes, if you know it already.
   * @throws Node's own errors for invalid names, values and statuses. Nothing is written then.
   */
  abstract respond(status: number, fields: AnswerFields, payload?: Payload, lengthBytes?: number): void;

  /**
   * If the server is closing and no further request waits, makes a response that `rawResponse` writes announce the end of its connection.
   * Other responses announce it without this call.
   */
  abstract announceEnd(): void;

  /**
   * Begins a response that is written in pieces.
   *
   * @param status The status.
   * @param fields The fields of the response. Default: none.
   */
  writeHead(status: number, fields: AnswerFields = {}): void {
    this.rawResponse.writeHead(
      status,
      fields as Record<string, Exclude<FieldValue, readonly string[]> | string[]>,
    );
  }
  /**
   * Writes a piece of the payload.
   *
   * @param piece The piece.
   * @returns `false` if the writer should wait for `onceDrained`.
   */
  write(piece: Payload): boolean {
    return this.rawResponse.write(piece);
  }
  /**
   * Ends a response that is written in pieces.
   *
   * @param piece The last piece. Default: none.
   */
  end(piece?: Payload): void {
    this.rawResponse.end(piece);
  }
  /**
   * Calls a function once, when more can be written.
   * @param listener The function.
   */
  onceDrained(listener: () => void): void {
    this.rawResponse.once('drain', listener);
  }

  /** Whether the head of the response has been written. */
  abstract get isHeadWritten(): boolean;
  /** Whether the response has ended. */
  abstract get isEnded(): boolean;
  /** Whether the client left, or the exchange was destroyed, before the response had ended. */
  abstract get isDestroyed(): boolean;
  /**
   * Closes the connection at once, in any state of the response.
   *
   * @param error The error that the socket is destroyed with.
   */
  abstract destroy(error?: Error): void;

  /**
   * Calls a function when the operating system has taken the response, or when the response has failed. Call this before you respond.
   *
   * @param listener Gets the error, if the response has failed.
   */
  abstract onFinished(listener: (error?: Error) => void): void;
  /**
   * Calls a function once, if the client leaves before the response has ended.
   *
   * @param listener The function.
   * @returns A function that stops listening.
   */
  abstract onClientGone(listener: () => void): () => void;

  /** Node's request object on the same socket, created when you read it. */
  abstract get rawRequest(): IncomingMessage;
  /** Node's response object on the same socket, created when you read it. Headers that are set on it are part of the response. */
  abstract get rawResponse(): ServerResponse;
  /** Whether `rawRequest` was created. */
  abstract get hasRawRequest(): boolean;
  /** Whether `rawResponse` was created. */
  abstract get hasRawResponse(): boolean;
}
