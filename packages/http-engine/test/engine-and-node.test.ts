/** Mistakes of applications and clients, in every state: client and application see the same, whether the engine or node serves. */
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, serve } from './support/serve.ts';
import { type Client, passTurns } from './support/wire.ts';

type Note = (event: string) => void;

/** Runs code of an application that may throw, and records how it ended. */
function attempt(note: Note, name: string, run: () => void): void {
  try {
    run();
    note(`${name} returned`);
  } catch (error) {
    note(`${name} threw ${(error as Error & { code?: string }).code}`);
  }
}

const applications: Readonly<Record<string, (exchange: Exchange, note: Note) => void>> = {
  'answers twice': (exchange, note) => {
    attempt(note, 'first', () => exchange.respond(200, {}, 'first'));
    attempt(note, 'second', () => exchange.respond(200, {}, 'second'));
  },
  'answers late': async (exchange, note) => {
    await passTurns(10);
    attempt(note, 'late', () => exchange.respond(200, {}, 'late'));
  },
  'never answers': () => {},
  'answers when the client has left': (exchange, note) => {
    exchange.onClientGone(() => attempt(note, 'late', () => exchange.respond(200, {}, 'late')));
  },
  'begins a stream that never ends': (exchange, note) => {
    attempt(note, 'head', () => exchange.writeHead(200));
    attempt(note, 'piece', () => exchange.write('piece'));
  },
  'answers whole behind the beginning of a stream': (exchange, note) => {
    exchange.writeHead(200);
    exchange.write('piece');
    attempt(note, 'whole', () => exchange.respond(200, {}, 'whole'));
    exchange.end('end');
  },
  'goes on with a stream that has ended': (exchange, note) => {
    exchange.writeHead(200);
    exchange.end('end');
    attempt(note, 'head', () => exchange.writeHead(200));
    attempt(note, 'end', () => exchange.end());
    attempt(note, 'whole', () => exchange.respond(200, {}, 'whole'));
  },
  'answers with an invalid field, and then another way': (exchange, note) => {
    attempt(note, 'invalid', () => exchange.respond(200, { 'x-a': 'a\n' }, 'invalid'));
    attempt(note, 'valid', () => exchange.respond(500, {}, 'sorry'));
  },
  'destroys the connection instead of an answer': (exchange) => exchange.destroy(),
  'destroys the connection in a stream': (exchange) => {
    exchange.writeHead(200);
    exchange.write('piece');
    exchange.destroy();
  },
  'answers with the body': (exchange, note) => {
    exchange.readBody(
      (body) => attempt(note, 'body', () => exchange.respond(200, {}, `<${body}>`)),
      (error) => note(`body failed: ${error.message}`),
    );
  },
  'answers before it reads the body': (exchange, note) => {
    attempt(note, 'answer', () => exchange.respond(200, {}, 'early'));
  },
};

const half = 'POST /half HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf';

const clients: Readonly<Record<string, (client: Client) => Promise<void> | void>> = {
  'asks again and again': async (client) => {
    for (let i = 0; i < 3; i++) {
      client.send(get(`/${i}`));
      await passTurns(20);
    }
  },
  'asks several times at once': (client) => client.send(get('/1') + get('/2') + get('/3')),
  'asks for the last time': (client) => client.send(get('/last', 'Connection: close\r\n')),
  'sends half a body, and then the other half': async (client) => {
    client.send(half);
    await passTurns(20);
    client.send(' other');
  },
  'sends half a body': (client) => client.send(half),
  'closes its side in a head': (client) => void client.socket.end('GET / HT'),
  'closes its side in a body': (client) => void client.socket.end(half),
  'closes its side behind a request': (client) => void client.socket.end(get()),
  'closes its side behind several requests': (client) => void client.socket.end(get().repeat(3)),
};

/** How the connection is lost. What the client still receives then depends on chance. */
const resets: Readonly<Record<string, string>> = {
  'in a head': 'GET / HT',
  'in a body': half,
  'behind a request': get(),
  'behind several requests': get().repeat(3),
};

interface Run {
  readonly received: string;
  readonly events: readonly string[];
}

async function run(
  lane: 'engine' | 'node',
  application: (exchange: Exchange, note: Note) => void,
  act: (client: Client) => Promise<void> | void,
  limits: object = {},
): Promise<Run> {
  const events: string[] = [];
  const lanes = new Set<string>();
  let count = 0;
  const { connect, server } = await serve(
    (exchange) => {
      const name = `request ${++count}`;
      const note: Note = (event) => void events.push(`${name}: ${event}`);
      lanes.add(exchange.lane);
      exchange.onFinished((error) => note(error === undefined ? 'finished' : 'failed'));
      exchange.onClientGone(() => note('client gone'));
      application(exchange, note);
    },
    {
      prepare: (each) => {
        Object.assign(each, limits);
        // The engine leaves a server with another listener to node.
        if (lane === 'node') each.on('request', () => {});
      },
    },
  );
  const client = await connect();
  await act(client);
  await passTurns(60);
  client.socket.resetAndDestroy();
  await passTurns(20);
  // Node does not read from a client that has ended its side, and does not see that it resets the connection.
  server.closeAllConnections();
  await vi.waitFor(async () => {
    const open = await new Promise((resolve) => server.getConnections((_error, found) => resolve(found)));
    expect(open).toBe(0);
  });
  await passTurns(10);
  expect([...lanes].filter((each) => each !== lane)).toEqual([]);
  const received = client.received.replaceAll(/Date: [^\r]*/g, 'Date: then');
  return { received, events: events.toSorted() };
}

describe.each(Object.entries(applications))('an application that %s', (_name, application) => {
  for (const [title, act] of Object.entries(clients)) {
    for (const httpAllowHalfOpen of [false, true]) {
      test(`and a client that ${title}${httpAllowHalfOpen ? ', which may close its side' : ''}`, async () => {
        const limits = { httpAllowHalfOpen };
        expect(await run('engine', application, act, limits)).toEqual(
          await run('node', application, act, limits),
        );
      });
    }
  }

  for (const [title, text] of Object.entries(resets)) {
    test(`and a client that resets the connection ${title}`, async () => {
      const act = async (client: Client): Promise<void> => {
        client.send(text);
        await passTurns(20);
        client.socket.resetAndDestroy();
      };
      const { events } = await run('engine', application, act);
      expect(events).toEqual((await run('node', application, act)).events);
    });
  }
});
