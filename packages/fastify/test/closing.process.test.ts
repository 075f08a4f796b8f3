/** A process whose application has closed ends by itself: no socket, no timer and no listener keeps it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { cert, key } from '../../ambit/test/fixtures/certificate.ts';
import {
  clearHttp2States,
  handshakeStates,
  http1States,
  http2States,
  openPlain,
  openTls,
} from './support/clients.ts';

const program = fileURLToPath(new URL('fixtures/closing-program.mjs', import.meta.url));
const tls = { key, cert };
const limits = { headersTimeout: 300, requestTimeout: 400, http2SessionTimeout: 500 };
const wires = {
  http: { options: limits, states: http1States(openPlain) },
  https: { options: { ...limits, https: tls }, states: { ...http1States(openTls), ...handshakeStates } },
  http2: {
    options: { ...limits, http2: true },
    states: { ...http2States('http'), ...clearHttp2States },
  },
  http2OverTls: {
    options: { ...limits, http2: true, https: tls },
    states: { ...http2States('https'), ...handshakeStates },
  },
};

function start(...args: string[]): ChildProcess {
  const child = fork(program, args);
  onTestFinished(() => void child.kill());
  return child;
}

for (const flavor of ['ambit', 'the facade']) {
  test(`${flavor}: whatever state its connections are in`, async () => {
    const child = start(flavor);
    const states = Object.values(wires).flatMap((wire) => Object.values(wire.states));
    const requests = states.reduce((sum, state) => sum + state.requests, 0);
    const options = Object.fromEntries(Object.entries(wires).map(([name, wire]) => [name, wire.options]));
    child.send({ wires: options, requests });
    const [ports] = (await once(child, 'message')) as [number[]];
    const arrived = once(child, 'message');
    const clients = Object.values(wires).flatMap((wire, i) =>
      Object.values(wire.states).map(({ client }) => client(ports[i]!)),
    );
    await Promise.all(clients);
    await arrived;
    child.send('close');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  test(`${flavor}: also when it closes the server itself`, async () => {
    const child = start(flavor, 'server');
    child.send({ wires: { http: {} }, requests: 0 });
    const [[port]] = (await once(child, 'message')) as [[number]];
    await http1States(openPlain)['an answer, and idle']!.client(port);
    child.send('close');
    expect((await once(child, 'exit'))[0]).toBe(0);
  });
}
