/** Owns what an exchange is: one request and the place for its one response, whoever serves its connection. */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { AnswerFields } from '../answer/field-lines.ts';

/** What a response sends. */
export type Payload = string | Uint8Array;

/** One request and the place for its one response. */
export abstract class Exchange {
  /** Whether the engine serves the connection, or node with a pair of its own objects. */
  abstract readonly lane: 'engine' | 'node';
  /** The method of the request. */
  abstract readonly method: string;
  /** The target of the request as it was sent: path and query. */
  abstract readonly target: string;
  /** The socket of the connection. */
  abstract readonly socket: Socket;
  /** Free for whoever serves the request: `Engine.exchangesOf` leads back to it. The engine never reads it. */
  owner: unknown = undefined;

  /**
   * The value of one field of the request, as `headers` has it, without building an object; a list is joined with `, `.
   *
   * @param name In lower case.
   */
  abstract header(name: string): string | undefined;
  /** The fields as in node's `message.headers`, created when you read them, once for each exchange. */
  abstract get headers(): IncomingHttpHeaders;
  /** Names as they were sent, and values, in turns. Created when you read them. */
  abstract get rawHeaders(): string[];

  /** Bytes of the body; undefined for a chunked body. */
  abstract get contentLength(): number | undefined;
  /**
   * Reads the whole body. Either `take` or `fail` is called, once: at once if the body is there, otherwise when its last byte has come.
   *
   * @param take Gets the body.
   * @param fail Gets the error: the client has left, or the body is too long.
   * @param mostBytes The largest body that comes in chunks, in bytes. Of any other body `contentLength` tells the length: check it first.
   */
  abstract readBody(take: (body: Buffer) => void, fail: (error: Error) => void, mostBytes?: number): void;
  /** The body as it arrives, with backpressure; the same object as `rawRequest`. */
  abstract get bodyStream(): Readable;

  /**
   * Answers with a payload in one write, head included. `Content-Length`, `Date`, `Connection` and `Keep-Alive` are added unless the fields
   * hold them. HEAD and statuses without content get no payload.
   *
   * @param status The status.
   * @param fields The fields of the response.
   * @param payload Default: none.
   * @param lengthBytes The length of a text in bytes, if it is known already.
   * @throws Node's own errors of invalid names, values and statuses. Nothing is written then.
   */
  abstract respond(status: number, fields: AnswerFields, payload?: Payload, lengthBytes?: number): void;

  /**
   * Has a response that `rawResponse` writes say that its connection ends, if the server is closing and no request waits behind it. Other
   * responses say so by themselves.
   */
  abstract announceEnd(): void;

  /**
   * Begins a response that is written in pieces.
   *
   * @param status The status.
   * @param fields The fields of the response. Default: none.
   */
  abstract writeHead(status: number, fields?: AnswerFields): void;
  /**
   * Writes a piece of the payload.
   *
   * @param piece The piece.
   * @returns `false` if the writer should wait for `onceDrained`.
   */
  abstract write(piece: Payload): boolean;
  /**
   * Ends a response that is written in pieces.
   *
   * @param piece The last piece. Default: none.
   */
  abstract end(piece?: Payload): void;
  /**
   * Calls a function once, when more can be written.
   * @param listener The function.
   */
  abstract onceDrained(listener: () => void): void;

  /** Whether the head of the response has been written. */
  abstract get isHeadWritten(): boolean;
  /** Whether the response has ended. */
  abstract get isEnded(): boolean;
  /** The client left, or the exchange was destroyed, before the response had ended. */
  abstract get isDestroyed(): boolean;
  /**
   * Closes the connection, whatever state the response is in.
   *
   * @param error The error that the socket is destroyed with.
   */
  abstract destroy(error?: Error): void;

  /**
   * Calls a function when the response has been handed to the system, or has failed. Call it before the response.
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

  /** Node's request object on the same socket, made on demand. */
  abstract get rawRequest(): IncomingMessage;
  /** Node's response object on the same socket, made on demand. Headers that are set on it are part of the response. */
  abstract get rawResponse(): ServerResponse;
  /** Whether `rawRequest` was made. */
  abstract get hasRawRequest(): boolean;
  /** Whether `rawResponse` was made. */
  abstract get hasRawResponse(): boolean;
}
