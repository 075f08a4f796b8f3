// Sends a constant load of GETs and POSTs over keep-alive connections, and counts the lost requests.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';

const body = JSON.stringify({ note: 'kept' });
/** The number of clients. Each sends one request at a time. */
const clients = 20;
/** A request without a response after this time is lost. */
const timeoutMs = 5_000;

function sendRequest(agent, port, method) {
  return new Promise((resolve, reject) => {
    const isPost = method === 'POST';
    const headers = isPost ? { 'content-type': 'application/json', 'content-length': body.length } : {};
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path: '/', headers });
    // The report distinguishes requests that were lost on reused connections.
    outgoing.on('error', (error) => reject(Object.assign(error, { isReused: outgoing.reusedSocket })));
    const error = Object.assign(new Error('no response'), { code: 'no response' });
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(error));
    outgoing.on('response', (response) => {
      text(response).then((received) => {
        const isExpected = response.statusCode === 200 && received === (isPost ? body : 'read');
        if (isExpected) resolve();
        else reject(Object.assign(new Error(received), { code: String(response.statusCode) }));
      }, reject);
    });
    outgoing.end(isPost ? body : undefined);
  });
}

/** Sends a request. If a connection is refused, tries the next port, because no request was sent. */
async function sendToAnyPort(agent, ports, first, method) {
  for (let i = 0; ; i++) {
    try {
      await sendRequest(agent, ports[(first + i) % ports.length], method);
      return;
    } catch (error) {
      if (error.code !== 'ECONNREFUSED' || i >= ports.length) throw error;
    }
  }
}

/**
 * @param {number[]} ports The ports to which each client sends requests in turn.
 * @param {number} pauseMs The mean time between two requests of a client. Each pause is between 0.5 and 1.5 times this.
 */
export function startLoad(ports, pauseMs) {
  const state = { sent: 0, lost: 0, reasons: {} };
  let isOver = false;
  const runClient = async (number) => {
    // One connection for each port, which is idle between two requests.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = number; !isOver; i++) {
      state.sent++;
      const method = i % 2 === 0 ? 'GET' : 'POST';
      try {
        await sendToAnyPort(agent, ports, i >> 1, method);
      } catch (error) {
        state.lost++;
        const connection =
          error.isReused === undefined ? '' : error.isReused ? ' (reused connection)' : ' (new connection)';
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
