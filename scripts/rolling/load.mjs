// A constant load of GETs and POSTs over kept connections, and the requests that it loses.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const body = JSON.stringify({ note: 'kept' });
/** Most requests at the same time. */
const clients = 20;
/** A request without a response for so long is lost. */
const timeoutMs = 5_000;

function ask(agent, port, method) {
  return new Promise((resolve, reject) => {
    const isPost = method === 'POST';
    const headers = isPost ? { 'content-type': 'application/json', 'content-length': body.length } : {};
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path: '/', headers });
    // Whether the connection had carried a request before tells where a request was lost.
    outgoing.on('error', (error) => reject(Object.assign(error, { isKept: outgoing.reusedSocket })));
    const error = Object.assign(new Error('no response'), { code: 'no response' });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(error));
    outgoing.on('response', (response) => {
      text(response).then((received) => {
        const isRight = response.statusCode === 200 && received === (isPost ? body : 'read');
        if (isRight) resolve();
        else reject(Object.assign(new Error(received), { code: String(response.statusCode) }));
      }, reject);
    });
    outgoing.end(isPost ? body : undefined);
  });
}

/** A refused connection has carried no request: the client tries the next port, as every client of several servers does. */
async function askAnyOf(agent, ports, first, method) {
  for (let i = 0; ; i++) {
    try {
      await ask(agent, ports[(first + i) % ports.length], method);
      return;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' || i >= ports.length) throw error;
    }
  }
}

/**
 * @param {number[]} ports Where each client sends requests, in turns.
 * @param {number} pauseMs The mean time between two requests of a client; each pause is between a half and three halves of it.
 */
export function startLoad(ports, pauseMs) {
  const state = { sent: 0, lost: 0, reasons: {} };
  let isOver = false;
  const runClient = async (number) => {
    // One connection for each port: what a client has kept is idle between its requests.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = number; !isOver; i++) {
      state.sent++;
      const method = i % 2 === 0 ? 'GET' : 'POST';
      try {
        await askAnyOf(agent, ports, i >> 1, method);
      } catch (error) {
        state.lost++;
        const connection =
          error.isKept === undefined ? '' : error.isKept ? ' (kept connection)' : ' (new connection)';
        const reason = `${method} ${error.code ?? error.message}${connection}`;
        state.reasons[reason] = (state.reasons[reason] ?? 0) + 1;
      }
      await wait(pauseMs * (0.5 + Math.random()));
    }
    agent.destroy();
  };
  const running = Promise.all(Array.from({ length: clients }, (_, number) => runClient(number)));
  return {
    async stop() {
      isOver = true;
      await running;
      return state;
    },
  };
}
