// One keep-alive connection of the load generator: sends requests, and passes each response on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readResponse, WrongResponse } from './responses.mjs';

const longestWaitMs = 10_000;
const readBufferBytes = 65_536;
const nothing = Buffer.alloc(0);

/**
 * The bytes of a response that was read and is correct. If the next response has the same bytes, it is correct too, and
 * is not read again. The `Date` changes once a second; then the response is read.
 *
 * @typedef {{ bytes: Buffer | undefined }} KnownResponse
 * @typedef {NonNullable<ReturnType<typeof readResponse>>} Response
 * @typedef {{
 *   known: KnownResponse,
 *   verify(response: Response): void,
 *   onResponse(): void,
 *   onFailure(error: Error): void,
 * }} Receiver `verify` throws if a response is wrong; `onResponse` is called for each correct one.
 */
export async function openConnection(/** @type {number} */ port, isSecure = false) {
  /** @type {Receiver | undefined} */
  let receiver;
  let pending = nothing;
  const fail = (/** @type {Error} */ error) => receiver?.onFailure(error);
  const onData = (/** @type {Buffer} */ arrived) => {
    try {
      pending = receive(pending.length === 0 ? arrived : Buffer.concat([pending, arrived]), receiver);
    } catch (error) {
      fail(error);
    }
  };
  const socket = isSecure ? await connectOverTls(port, onData) : await connectPlain(port, onData);
  socket.on('error', fail);
  socket.on('close', () => fail(new WrongResponse('the server closed a kept-alive connection')));
  socket.setTimeout(longestWaitMs, () => fail(new WrongResponse(`no answer within ${longestWaitMs} ms`)));
  return {
    /** The receiver of the next responses. */
    receiveWith(/** @type {Receiver} */ next) {
      receiver = next;
    },
    write(/** @type {Buffer} */ requests) {
      if (socket.destroyed) fail(new WrongResponse('the server closed a kept-alive connection'));
      else socket.write(requests);
    },
    close() {
      receiver = undefined;
      socket.destroy();
    },
  };
}

async function connectPlain(port, onData) {
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBufferBytes),
      callback(count, buffer) {
        onData(buffer.subarray(0, count));
        return true;
      },
    },
  });
  await once(socket, 'connect');
  return socket;
}

/** The certificate is not verified, because it is self-signed. */
async function connectOverTls(port, onData) {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket.on('data', onData);
}

/**
 * HOT: once per read of the load generator, which must use less CPU time than any server.
 *
 * @returns A copy of the bytes of an incomplete response. It must be a copy, because the buffer is used again.
 */
function receive(/** @type {Buffer} */ arrived, /** @type {Receiver | undefined} */ receiver) {
  if (receiver === undefined) return nothing;
  let start = 0;
  while (start < arrived.length) {
    const known = receiver.known.bytes;
    if (known !== undefined && startsWith(arrived, start, known)) {
      start += known.length;
    } else {
      const rest = arrived.subarray(start);
      const response = readResponse(rest);
      if (response === undefined) return Buffer.from(rest);
      receiver.verify(response);
      receiver.known.bytes = Buffer.from(rest.subarray(0, response.size));
      start += response.size;
    }
    receiver.onResponse();
  }
  return nothing;
}

function startsWith(bytes, start, known) {
  const end = start + known.length;
  return end <= bytes.length && bytes.compare(known, 0, known.length, start, end) === 0;
}
