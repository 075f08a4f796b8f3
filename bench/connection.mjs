// Owns one keep-alive connection of the load generator: sends requests, and passes each response on.
import { once } from 'node:events';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { readAnswer, WrongAnswer } from './answers.mjs';

const longestWaitMs = 10_000;
const readBufferBytes = 65_536;
const nothing = Buffer.alloc(0);

/**
 * The bytes of a response that was read and is correct. If the next response has the same bytes, it is correct too, and
 * is not read again. The `Date` changes once a second; then the response is read.
 *
 * @typedef {{ bytes: Buffer | undefined }} KnownAnswer
 * @typedef {NonNullable<ReturnType<typeof readAnswer>>} Answer
 * @typedef {{
 *   known: KnownAnswer,
 *   verify(answer: Answer): void,
 *   onAnswer(): void,
 *   onFailure(error: Error): void,
 * }} Receiver `verify` throws if a response is wrong; `onAnswer` is called for each correct one.
 */
export async function openConnection(/** @type {number} */ port, isSecure = false) {
  /** @type {Receiver | undefined} */
  let receiver;
  let pending = nothing;
  const fail = (/** @type {Error} */ error) => receiver?.onFailure(error);
  const take = (/** @type {Buffer} */ arrived) => {
    try {
      pending = receive(pending.length === 0 ? arrived : Buffer.concat([pending, arrived]), receiver);
    } catch (error) {
      fail(error);
    }
  };
  const socket = isSecure ? await connectOverTls(port, take) : await connectPlain(port, take);
  socket.on('error', fail);
  socket.on('close', () => fail(new WrongAnswer('the server closed a kept-alive connection')));
  socket.setTimeout(longestWaitMs, () => fail(new WrongAnswer(`no answer within ${longestWaitMs} ms`)));
  return {
    /** The receiver of the next responses. */
    receiveWith(/** @type {Receiver} */ next) {
      receiver = next;
    },
    write(/** @type {Buffer} */ requests) {
      if (socket.destroyed) fail(new WrongAnswer('the server closed a kept-alive connection'));
      else socket.write(requests);
    },
    close() {
      receiver = undefined;
      socket.destroy();
    },
  };
}

async function connectPlain(port, take) {
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(readBufferBytes),
      callback(count, buffer) {
        take(buffer.subarray(0, count));
        return true;
      },
    },
  });
  await once(socket, 'connect');
  return socket;
}

/** The certificate is one of the tests, so nobody has signed it. */
async function connectOverTls(port, take) {
  const socket = connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  return socket.on('data', take);
}

/**
 * HOT: for every read of the load generator, which must use less CPU time than any server.
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
      const answer = readAnswer(rest);
      if (answer === undefined) return Buffer.from(rest);
      receiver.verify(answer);
      receiver.known.bytes = Buffer.from(rest.subarray(0, answer.size));
      start += answer.size;
    }
    receiver.onAnswer();
  }
  return nothing;
}

function startsWith(bytes, start, known) {
  const end = start + known.length;
  return end <= bytes.length && bytes.compare(known, 0, known.length, start, end) === 0;
}
