// Owns the load generator: HTTP/1.1 over kept-alive connections, every answer checked and timed.
import { WrongAnswer } from './answers.mjs';
import { openConnection } from './connection.mjs';

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
 * Asks one question once, on a connection of its own.
 *
 * @param {number} port
 * @param {import('./scenarios.mjs').Question} question
 * @returns {Promise<import('./connection.mjs').Answer>}
 */
export async function ask(port, question) {
  const connection = await openConnection(port);
  try {
    return await new Promise((resolve, reject) => {
      const known = { bytes: undefined };
      connection.receiveWith({ known, verify: resolve, onAnswer() {}, onFailure: reject });
      connection.write(writeQuestion(question));
    });
  } finally {
    connection.close();
  }
}

/**
 * A load: the same question over and over.
 *
 * @typedef {{ request: Buffer, status: number, body: string, pipelining: number,
 *   known: import('./connection.mjs').KnownAnswer }} Load
 */
export async function openConnections(/** @type {number} */ port, /** @type {number} */ size) {
  const connections = await Promise.all(Array.from({ length: size }, () => openConnection(port)));
  return {
    /** Asks `count` times over all connections. @returns {Promise<Float64Array>} Milliseconds of each answer. */
    repeat: (/** @type {Load} */ load, /** @type {number} */ count) => repeatOver(connections, load, count),
    close() {
      for (const connection of connections) connection.close();
    },
  };
}

function repeatOver(connections, load, count) {
  const { request, pipelining, known } = load;
  const batch = Buffer.concat(Array.from({ length: pipelining }, () => request));
  const verify = createVerifier(load);
  const waits = new Float64Array(count);
  let unsent = count;
  let answered = 0;
  return new Promise((resolve, reject) => {
    for (const connection of connections) {
      let due = 0;
      let sentAt = 0;
      const send = () => {
        due = Math.min(pipelining, unsent);
        if (due === 0) return;
        unsent -= due;
        sentAt = performance.now();
        connection.write(due === pipelining ? batch : batch.subarray(0, due * request.length));
      };
      const onAnswer = () => {
        if (due === 0) return reject(new WrongAnswer('an answer that nobody asked for'));
        due--;
        waits[answered++] = performance.now() - sentAt;
        if (answered === count) resolve(waits);
        else if (due === 0) send();
      };
      connection.receiveWith({ known, verify, onAnswer, onFailure: reject });
      send();
    }
  });
}

function createVerifier({ status, body }) {
  return (/** @type {import('./connection.mjs').Answer} */ answer) => {
    if (answer.status === status && answer.body === body) return;
    throw new WrongAnswer(`under load: ${answer.status} ${answer.body}, expected ${status} ${body}`);
  };
}
