/** Owns answering and reading by node's objects: what both kinds of exchanges do once they have them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { AnswerFields, FieldValue } from '../answer/field-lines.ts';
import type { Payload } from './exchange.ts';

/** Answers whole. Fields are set, not written, so that node knows the length before it writes the head. */
export function respondThroughNode(
  response: ServerResponse,
  status: number,
  fields: AnswerFields,
  payload: Payload | undefined,
): void {
  // Node refuses a second answer and a status that is none, before any field is set.
  if (response.headersSent || !(status >= 100 && status <= 999)) response.writeHead(status);
  response.statusCode = status;
  for (const name of Object.keys(fields)) response.setHeader(name, fields[name] as string);
  response.end(payload);
}

export function writeHeadThroughNode(response: ServerResponse, status: number, fields: AnswerFields): void {
  response.writeHead(status, fields as Record<string, Exclude<FieldValue, readonly string[]> | string[]>);
}

/** Gathers a body by the events of its stream. */
export function readStream(
  stream: Readable,
  take: (body: Buffer) => void,
  fail: (error: Error) => void,
  mostBytes: number,
): void {
  const pieces: Buffer[] = [];
  let lengthBytes = 0;
  const stop = (): void => {
    stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
  };
  const onData = (piece: Buffer): void => {
    lengthBytes += piece.length;
    if (lengthBytes > mostBytes) onError(new BodyTooLong(mostBytes));
    else pieces.push(piece);
  };
  const onEnd = (): void => {
    stop();
    take(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
  };
  const onError = (error: Error): void => {
    stop();
    fail(error);
  };
  const onClose = (): void => onError(new ClientGone());
  stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
}

/** The client left before its request was complete. Node's name for it, and its words. */
export class ClientGone extends Error {
  /** The permanent code: node's own. */
  readonly code = 'ECONNRESET';

  constructor() {
    super('aborted');
  }
}

/** A body grew past what its reader takes. */
export class BodyTooLong extends Error {
  /** The permanent code. */
  readonly code = 'ERR_BODY_TOO_LONG';

  /** @param mostBytes The largest body that the reader takes. */
  constructor(mostBytes: number) {
    super(`the body is longer than ${mostBytes} bytes`);
  }
}

/** Once, when the client leaves before the answer has ended. Returns a function that stops listening. */
export function watchClient(
  request: IncomingMessage,
  response: ServerResponse,
  listener: () => void,
): () => void {
  const stop = (): void => {
    request.off('close', onRequestClose);
    response.off('close', onResponseClose);
  };
  const leave = (): void => {
    stop();
    listener();
  };
  // A request closes when its body has been read, too: only one that closes half read tells that the client left.
  const onRequestClose = (): void => {
    if (request.destroyed && !request.readableEnded && !response.writableEnded) leave();
  };
  const onResponseClose = (): void => {
    if (!response.writableEnded) leave();
  };
  request.on('close', onRequestClose);
  response.on('close', onResponseClose);
  return stop;
}

/** Once the answer has been handed to the system, or failed. */
export function watchFinish(response: ServerResponse, listener: (error?: Error) => void): void {
  const settle = (error?: Error): void => {
    response.off('finish', settle).off('error', settle).off('close', onClose);
    listener(error);
  };
  const onClose = (): void => settle(response.writableFinished ? undefined : new ClientGone());
  response.on('finish', settle).on('error', settle).on('close', onClose);
}
