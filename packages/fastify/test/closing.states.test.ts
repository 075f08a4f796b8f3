/**
 * Whatever a client has sent, or left out, when the application closes: closing ends within the limits of time, each request whose head has
 * arrived is answered, and no connection is left.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cert, key } from '../../ambit/test/fixtures/certificate.ts';
import { forbidProcessFaults } from '../../ambit/test/support/process-faults.ts';
import { servePort } from '../../ambit/test/support/serve.ts';
import {
  clearHttp2States,
  handshakeStates,
  http1States,
  http2States,
  openPlain,
  openTls,
  type State,
} from './support/clients.ts';
import { flavors } from './support/flavors.ts';

forbidProcessFaults();

const tls = { key, cert };
const limits = { headersTimeout: 300, requestTimeout: 400, keepAliveTimeout: 500, http2SessionTimeout: 500 };

const wires: Record<string, { options: AmbitOptions; states: Record<string, State> }> = {
  http: { options: {}, states: http1States(openPlain) },
  https: { options: { https: tls }, states: { ...http1States(openTls), ...handshakeStates } },
  "http with node's engine": { options: { engine: 'node' }, states: http1States(openPlain) },
  "https with node's engine": {
    options: { https: tls, engine: 'node' },
    states: { ...http1States(openTls), ...handshakeStates },
  },
  'http2 in clear text': {
    options: { http2: true },
    states: { ...http2States('http'), ...clearHttp2States },
  },
  'http2 over TLS': {
    options: { http2: true, https: tls },
    states: { ...http2States('https'), ...handshakeStates },
  },
  'HTTP/1.1 on an http2 server': {
    options: { http2: true, https: { ...tls, allowHTTP1: true } },
    states: { ...http1States(openTls), ...http2States('https'), ...handshakeStates },
  },
};

/** Answers `/slow` once the application closes. */
function withSlowRoute(app: Context): Context {
  let close = (): void => {};
  const closing = new Promise<void>((resolve) => {
    close = resolve;
  });
  app.addHook('preClose', async () => close());
  app.get('/', () => 'quick');
  app.post('/', (request) => request.body);
  app.get('/slow', async () => {
    await closing;
    await wait(20);
    return 'slow';
  });
  return app;
}

/** Brings a connection into each of the states, closes, and checks what each client was answered. */
async function expectAnswers(
  app: Context,
  names: readonly string[],
  states: Record<string, State>,
): Promise<void> {
  const sockets = new Set<{ destroyed: boolean }>();
  app.server.on('connection', (socket) => sockets.add(socket));
  const inState = names.map((name) => states[name]!);
  const arrived = new Promise<void>((resolve) => {
    let missing = inState.reduce((sum, { requests }) => sum + requests, 0);
    const check = () => missing === 0 && resolve();
    check();
    app.addHook('onRequest', async () => {
      missing--;
      check();
    });
  });
  const port = await servePort(withSlowRoute(app));
  const clients = await Promise.all(inState.map(({ client }) => client(port)));
  await arrived;
  await app.close();
  expect([...sockets].filter(({ destroyed }) => !destroyed)).toEqual([]);
  const answers = await Promise.all(clients.map(({ answers }) => answers));
  for (const [i, { answers: inTime, lateAnswers = inTime }] of inState.entries())
    expect([inTime, lateAnswers], names[i]).toContainEqual(answers[i]);
}

for (const [wire, { options, states }] of Object.entries(wires)) {
  const names = Object.keys(states);
  const all = { ...options, ...limits };

  for (const [flavor, make] of flavors) {
    test(`${flavor}, ${wire}: close answers and ends connections in every state`, async () => {
      await expectAnswers(make(all), names, states);
    });
  }

  test(`${wire}: close answers and ends connections in any states`, async () => {
    const sets = fc.array(fc.constantFrom(...names), { maxLength: 6 });
    const holds = fc.asyncProperty(sets, (some) => expectAnswers(ambit(all), some, states));
    await fc.assert(holds, { numRuns: 5 });
  });
}
