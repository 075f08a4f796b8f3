/** Owns the collecting of a body: how many bytes may come, and whether as many came as were announced. */
import type { BodyStream } from '../contract/body.ts';
import { BodyTooLarge, ContentLengthMismatch } from '../contract/errors.ts';
import type { BodyParser, Exchange } from '../contract/exchange.ts';

type BodyError = Error & { statusCode?: number };
type Settle = (error: BodyError | undefined, chunks: Buffer[], arrivedBytes: number) => void;

/** Collects the body's bytes, up to the limit, and checks that as many came as were announced. */
export function collect(
  x: Exchange,
  parser: BodyParser,
  resolve: (collected: string | Buffer) => void,
  reject: (error: unknown) => void,
): void {
  const limitBytes = x.plan.bodyLimitBytes ?? parser.limitBytes;
  const announced = x.requestHeaders['content-length'];
  if (announced !== undefined && Number(announced) > limitBytes) {
    reject(new BodyTooLarge());
    return;
  }
  const isText = parser.collectAs === 'string';
  const settle: Settle = (error, chunks, arrivedBytes) => {
    if (error != null) reject(withClientStatus(error));
    else if (announced !== undefined && arrivedBytes !== Number(announced))
      reject(new ContentLengthMismatch());
    else resolve(assemble(chunks, isText));
  };
  const stream = x.bodyStream!;
  const isAsSent = stream === x.requestStream && stream.receivedEncodedLength === undefined;
  if (!isAsSent || announced === undefined || !gather(x, Number(announced), settle)) {
    listen(stream, limitBytes, settle);
  }
}

/** What goes wrong with a body is the client's fault, unless the error says otherwise. */
function withClientStatus(error: BodyError): BodyError {
  if (!(typeof error.statusCode === 'number' && error.statusCode >= 400)) error.statusCode = 400;
  return error;
}

function gather(x: Exchange, lengthBytes: number, settle: Settle): boolean {
  return x.gatherBody(
    lengthBytes,
    (body) => settle(undefined, [body], body.length),
    (error) => settle(error, [], 0),
  );
}

function listen(stream: BodyStream, limitBytes: number, settle: Settle): void {
  const chunks: Buffer[] = [];
  let receivedBytes = 0;
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    receivedBytes += bytes.length;
    chunks.push(bytes);
    // A hook may decompress: both sides of it are held to the limit.
    if (receivedBytes > limitBytes || (stream.receivedEncodedLength ?? 0) > limitBytes) {
      onEnd(new BodyTooLarge());
    }
  };
  const onEnd = (error?: BodyError): void => {
    stream.removeListener('data', onData);
    stream.removeListener('end', onEnd);
    stream.removeListener('error', onEnd);
    settle(error, chunks, stream.receivedEncodedLength || receivedBytes);
  };
  stream.on('data', onData);
  stream.on('end', onEnd);
  stream.on('error', onEnd);
  stream.resume();
}

/** Bytes are copied even when there is one chunk: it is a view of a buffer that the socket will use again. */
function assemble(chunks: Buffer[], isText: boolean): string | Buffer {
  if (!isText) return Buffer.concat(chunks);
  return chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
}
