// Owns the load generator: HTTP/1.1 over kept-alive connections, one request at a time on each, every answer checked.
import { once } from 'node:events';
import { connect } from 'node:net';

/** A server answered something else than the scenario demands; the one failure that ends the benchmark. */
export class WrongAnswer extends Error {
  name = 'WrongAnswer';
}

/** @param {import('./scenarios.mjs').Question} question */
export function writeQuestion({ method, path, headers = {}, body }) {
  const content = body === undefined ? '' : JSON.stringify(body);
  const contentHeaders =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(content)}` };
  const lines = Object.entries({ host: '127.0.0.1', ...headers, ...contentHeaders });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${content}`);
}

/**
 * Reads one answer; bodies of the benchmark are ASCII, so characters are bytes.
 *
 * @param {string} text What arrived since the request was written.
 * @returns `undefined` until the answer is complete.
 */
export function readAnswer(text) {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)\r\n/i.exec(text.slice(0, headEnd + 2));
  if (length === null) throw new WrongAnswer(`an answer without content-length:\n${text}`);
  const end = headEnd + 4 + Number(length[1]);
  if (text.length < end) return undefined;
  if (text.length > end) throw new WrongAnswer(`an answer longer than its content-length:\n${text}`);
  return { status: Number(text.slice(9, 12)), body: text.slice(headEnd + 4) };
}

const longestWaitMs = 10_000;

/**
 * One connection; `ask` writes a request and calls back once, with an error or with the answer.
 *
 * @typedef {(error: Error | undefined, answer?: { status: number, body: string }) => void} Callback
 */
async function openConnection(/** @type {number} */ port) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let received = '';
  /** @type {Callback | undefined} Set while an answer is due. */
  let waiting;
  /** @type {Callback} */
  const settle = (error, answer) => {
    const callback = waiting;
    waiting = undefined;
    callback?.(error, answer);
  };
  socket.setEncoding('latin1');
  socket.on('data', (chunk) => {
    received += chunk;
    try {
      const answer = readAnswer(received);
      if (answer === undefined) return;
      received = '';
      settle(undefined, answer);
    } catch (error) {
      settle(error);
    }
  });
  socket.on('error', settle);
  socket.on('close', () => settle(new WrongAnswer('the server closed a kept-alive connection')));
  socket.setTimeout(longestWaitMs, () => settle(new WrongAnswer(`no answer within ${longestWaitMs} ms`)));
  return {
    ask(/** @type {Buffer} */ request, /** @type {Callback} */ callback) {
      waiting = callback;
      if (socket.destroyed) settle(new WrongAnswer('the server closed a kept-alive connection'));
      else socket.write(request);
    },
    close: () => socket.destroy(),
  };
}

/**
 * @param {number} port
 * @param {number} size Number of connections.
 */
export async function openConnections(port, size) {
  const connections = await Promise.all(Array.from({ length: size }, () => openConnection(port)));
  return {
    /** Asks one question once. */
    ask: (/** @type {import('./scenarios.mjs').Question} */ question) =>
      new Promise((resolve, reject) => {
        connections[0].ask(writeQuestion(question), (error, answer) =>
          error ? reject(error) : resolve(answer),
        );
      }),
    /** Sends `request` `count` times over all connections and demands status 200 and `body` each time. */
    repeat: (/** @type {Buffer} */ request, /** @type {string} */ body, /** @type {number} */ count) =>
      repeatOver(connections.slice(0, count), request, body, count),
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

/** @returns {Promise<void>} */
function repeatOver(connections, request, body, count) {
  return new Promise((resolve, reject) => {
    let unsent = count;
    let unanswered = count;
    for (const connection of connections) {
      const send = () => {
        unsent--;
        connection.ask(request, take);
      };
      /** @type {Callback} */
      const take = (error, answer) => {
        if (error) return reject(error);
        if (answer.status !== 200 || answer.body !== body) {
          return reject(new WrongAnswer(`under load: ${answer.status} ${answer.body}, expected 200 ${body}`));
        }
        if (--unanswered === 0) resolve();
        else if (unsent > 0) send();
      };
      send();
    }
  });
}
