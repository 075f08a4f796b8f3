// One application on Node, Bun, Deno and workerd, over sockets: on each, the responses are those of Node's own server.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRules } from '../../scripts/specification.mjs';
import { casesOfLevel } from './support/level.mjs';
import {
  answerAll,
  answerOf,
  ask,
  bytes,
  contentOf,
  expectContinue,
  requests,
  send,
  uploadForever,
} from './support/requests.mjs';
import { application, run } from './support/run.mjs';
import { locateDeno, runtimes, start, startWorker } from './support/runtimes.mjs';

const { notShown, rules } = await import(`${application}/runtimes/rules/index.mjs`);

/** For what takes some time: only what never comes may fail. */
const patient = { timeout: 60_000, interval: 200 };
const large = (count) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(50_000, 'y')));

const endless = () =>
  Readable.from(
    (function* () {
      for (;;) yield Buffer.alloc(50_000, 'y');
    })(),
  );

/** A body whose sender begins it and does not go on. */
class Unfinished extends Readable {
  _construct(done) {
    this.push('{"text":');
    done();
  }
  _read() {}
}

/** A count stops growing once the buffers of a connection are full: two counts are then equal. */
async function expectToStop(count) {
  let before = -1;
  const grown = async () => {
    const [last, now] = [before, await count()];
    before = now;
    return now - last;
  };
  await expect.poll(grown, patient).toBe(0);
}

const readUploads = async ({ origin }) => JSON.parse(await text(await ask(origin, '/uploads')));

/** An upload that gets an error early: its path and type, the status, and how many chunks the limit needs. */
const earlyErrors = [
  ['/nowhere', 'application/x-unknown', 404, 0],
  ['/valid', 'application/x-unknown', 415, 0],
  ['/valid', 'application/json', 413, 3],
];

/** Those of the guide, for Deno: of every application, of one that logs, and of one that keeps uploads on disk. */
const permissions = [
  '--allow-net',
  '--allow-env',
  '--allow-read',
  '--allow-sys=hostname',
  `--allow-write=${tmpdir()}`,
];

const starts = {
  bun: (flavor) => start([...runtimes.bun(), 'runtimes/serve.mjs', flavor]),
  deno: (flavor) => start([...runtimes.deno(permissions), 'runtimes/serve.mjs', flavor]),
  'bun, which calls fetch': (flavor) => start([...runtimes.bun(), 'runtimes/serve.mjs', flavor, 'fetch']),
  'deno, which calls fetch': (flavor) =>
    start([...runtimes.deno(permissions), 'runtimes/serve.mjs', flavor, 'fetch']),
  workerd: (flavor) => startWorker(flavor),
  'workerd, with the first date that the guide names': (flavor) =>
    startWorker(flavor, ['nodejs_compat'], '2025-09-15'),
};

/** In CI, these have both flavors, and the others, which differ by how they are called, one in turn. */
const inBoth = ['bun', 'deno', 'workerd'];

function namesOfLevel(names, flavor, both = []) {
  const turn = ['ambit', 'fastify'];
  return casesOfLevel(
    names.map((name, i) => ({ name, inCi: both.includes(name) || turn[i % 2] === flavor })),
  ).map(({ name }) => name);
}

/** Leaves a stream in the middle. */
async function expectToEnd(server) {
  const readLeft = async () => JSON.parse(await text(await ask(server.origin, '/left')));
  const response = await ask(server.origin, '/left/chunks');
  await once(response, 'data');
  response.on('error', () => {});
  expect(await readLeft()).toEqual({ signal: false, hook: false, stream: false });
  response.destroy();
  await expect.poll(readLeft, patient).toEqual({ signal: true, hook: true, stream: true });
}

describe.each(['ambit', 'fastify'])('with %s', (flavor) => {
  const expected = {};
  beforeAll(async () => {
    const node = await start([...runtimes.node(), 'runtimes/serve.mjs', flavor]);
    for (const [title, [path, options]] of Object.entries(requests))
      expected[title] = await answerOf(await ask(node.origin, path, options), title);
    for (const { rule, requests } of rules) expected[rule] = await answerAll(node.origin, requests);
    await node.stop();
  });

  describe.each(namesOfLevel(['node', 'bun', 'deno'], flavor))(
    'on %s, with the option `engine`',
    (runtime) => {
      let server;
      beforeAll(async () => {
        server = await start([...runtimes[runtime](), 'runtimes/serve.mjs', flavor, 'node-http']);
      });
      afterAll(() => server.stop());

      test.each(Object.keys(requests))('%s: the response is that of Node', async (title) => {
        const [path, options] = requests[title];
        expect(await answerOf(await ask(server.origin, path, options), title)).toEqual(expected[title]);
      });

      test.each(rules)('rule $rule: the responses are those of Node', async ({ rule, requests }) => {
        expect(await answerAll(server.origin, requests)).toEqual(expected[rule]);
      });
    },
  );

  describe.each(namesOfLevel(Object.keys(starts), flavor, inBoth))('on %s', (runtime) => {
    let server;
    beforeAll(async () => {
      server = await starts[runtime](flavor);
    });
    afterAll(() => server.stop());

    test.each(Object.keys(requests))('%s: the response is that of Node', async (title) => {
      const [path, options] = requests[title];
      expect(await answerOf(await ask(server.origin, path, options), title)).toEqual(expected[title]);
    });

    const [name] = runtime.split(',');
    const shown = rules.filter(({ notOn = [] }) => !notOn.includes(name));

    test.each(shown)('rule $rule: the responses are those of Node', async ({ rule, requests }) => {
      expect(await answerAll(server.origin, requests)).toEqual(expected[rule]);
    });

    // On Bun, the field has no effect.
    const statusOfWrongHost = runtime.startsWith('bun') ? 404 : 400;
    test('a field `host` that is not a host reaches no other route', async () => {
      for (const host of [
        'example.org/json',
        'example.org/json/7?',
        'example.org/json/7#',
        'a\\json',
        'a@b',
        'a:x',
      ])
        expect((await ask(server.origin, '/7', { headers: { host } })).statusCode).toBe(statusOfWrongHost);
      for (const host of ['', 'example.org', 'example.org:8080', '[::1]', '[::1]:80', 'ex%41mple_1', 'a:'])
        expect((await ask(server.origin, '/cookies', { headers: { host } })).statusCode).toBe(200);
    });

    // Bun and Deno send it before they call the application.
    const early = /^(bun|deno)/.test(runtime) ? [100] : [];
    test('a client that expects 100 (Continue) gets it if its body is read', async () => {
      for (const [path, type, lengthBytes, statuses] of [
        ['/text', 'text/plain', 5, [100, 200]],
        ['/rules/8.4/below', 'text/plain', 5, [...early, 401]],
        ['/text', 'text/plain', 2_000_000, [...early, 413]],
        ['/valid', 'text/xml', 5, [...early, 415]],
      ])
        expect(await expectContinue(server.origin, path, { type, lengthBytes })).toEqual(statuses);
    });

    test('trailers are left out, with one warning for each route', async () => {
      for (const _ of [1, 2]) await text(await ask(server.origin, '/trailers'));
      const warnings = server.printed.filter((line) => /AMBWRN006.*GET \/trailers/.test(line));
      expect(warnings).toHaveLength(1);
    });

    test('a long upload is read as a stream', async () => {
      const body = large(100);
      const response = await ask(server.origin, '/length', { method: 'POST', headers: bytes, body });
      expect(await text(response)).toBe('{"length":5000000}');
    });

    test.each(earlyErrors)(
      'an upload without an end to %s, of %s, gets %i',
      async (path, type, status, chunkCount) => {
        expect(await uploadForever(server.origin, path, { type, chunkCount })).toBe(status);
      },
    );

    test('a stream that nobody reads stops being made', async () => {
      const response = await ask(server.origin, '/endless');
      response.pause();
      response.on('error', () => {});
      await expectToStop(async () => JSON.parse(await text(await ask(server.origin, '/made'))).made);
      response.destroy();
    });

    test('an upload that nobody reads stops being sent', async () => {
      const upload = send(server.origin, '/held', { method: 'POST', headers: bytes, body: endless() });
      const [socket] = await once(upload, 'socket');
      await expect.poll(async () => (await readUploads(server)).held, patient).toBeGreaterThan(0);
      await expectToStop(() => socket.bytesWritten);
      upload.destroy();
    });

    test('a stream that fails half way does not look complete', async () => {
      const response = await ask(server.origin, '/stream/half');
      await expect(text(response)).rejects.toThrow('aborted');
      expect((await ask(server.origin, '/cookies')).statusCode).toBe(200);
    });

    test.each(['long', 'short'])(
      'a stream that is too %s for its content-length does not look complete',
      async (length) => {
        const status = await ask(server.origin, `/stream/${length}`)
          .then((response) => text(response).then(() => response.statusCode))
          .catch(() => 'cut off');
        // It depends on the server whether it has sent the head before it knows.
        expect(['cut off', 500]).toContain(status);
      },
    );

    test('the handler of an upload whose client leaves gets an error', async () => {
      const upload = send(server.origin, '/interrupted', { method: 'POST', headers: bytes, body: endless() });
      await expect.poll(async () => (await readUploads(server)).interrupted, patient).toBeGreaterThan(0);
      upload.destroy();
      await expect.poll(async () => (await readUploads(server)).end, patient).toBe('interrupted');
      expect((await readUploads(server)).isAborted).toBe(true);
    });

    test.each([
      ['a length', { 'content-length': '100' }],
      ['chunks', { 'transfer-encoding': 'chunked' }],
    ])(
      'an upload with %s that its client leaves gets no response, and runs onRequestAbort',
      async (_, framing) => {
        const before = (await readUploads(server)).hooks.length;
        const readHooks = async () => (await readUploads(server)).hooks.slice(before);
        const headers = { 'content-type': 'application/json', ...framing };
        const upload = send(server.origin, '/unfinished', {
          method: 'POST',
          headers,
          body: new Unfinished(),
        });
        await expect.poll(readHooks, patient).toEqual(['preParsing']);
        upload.destroy();
        await expect.poll(readHooks, patient).toEqual(['preParsing', 'onRequestAbort']);
        expect(server.printed.filter((line) => line.includes('The client left'))).toEqual([]);
      },
    );

    test('a client that leaves a stream aborts its request, runs onRequestAbort and ends the stream', async () => {
      await expectToEnd(server);
    });

    // A worker learns that a client has left only when it writes to it, and workerd resets connections on which data is left.
    const isWorker = runtime.startsWith('workerd');

    test.each(isWorker ? [] : earlyErrors)(
      'a client that goes on sending to %s, of %s, gets %i',
      async (path, type, status) => {
        const body = { type, chunkCount: Number.POSITIVE_INFINITY };
        expect(await uploadForever(server.origin, path, body)).toBe(status);
      },
    );

    test.each(isWorker ? [] : ['/abort'])('a client that leaves %s aborts its signal', async (path) => {
      const response = await ask(server.origin, path);
      await once(response, 'data');
      response.on('error', () => {});
      response.destroy();
      await expect.poll(async () => text(await ask(server.origin, '/aborted')), patient).toBe('yes');
    });
  });

  test('workerd with enable_request_signal tells when the client of a stream leaves', async () => {
    const server = await startWorker(flavor, ['enable_request_signal']);
    await expectToEnd(server);
    await server.stop();
  });
});

describe('on Node, with ambit', () => {
  let server;
  beforeAll(async () => {
    server = await start([...runtimes.node(), 'runtimes/serve.mjs', 'ambit']);
  });
  afterAll(() => server.stop());

  test.each(rules)('rule $rule: the responses are as it says', async ({ requests }) => {
    for (const [path, options, said] of requests) {
      const { status = 200, headers = {}, body = expect.anything() } = said;
      const response = await ask(server.origin, path, options);
      expect(response).toMatchObject({ statusCode: status, headers });
      expect(await contentOf(response)).toEqual(body);
    }
  });
});

/** The programs of this folder on a runtime, with their output as JSON. */
const outputOf = {
  Node: (...args) => runToJson([...runtimes.node(), ...args]),
  Bun: (...args) => runToJson([...runtimes.bun(), ...args]),
  Deno: (...args) => runToJson([...runtimes.deno(permissions), ...args]),
};

async function runToJson([executable, ...args]) {
  return JSON.parse(await run(application, executable, args));
}

test.each(['Bun', 'Deno'])(
  '%s: a request is routed the same if a function of the application sees each URL',
  async (runtime) => {
    const answers = await outputOf[runtime]('runtimes/paths.mjs');
    expect(answers).toEqual(await outputOf[runtime]('runtimes/paths.mjs', 'routed'));
    const statuses = Object.values(answers).map(({ status }) => status);
    expect([...new Set(statuses)].sort()).toEqual(['200', '400', '404', '500']);
  },
);

test('workerd reads and writes values of fields in UTF-8', async () => {
  const server = await startWorker('ambit');
  const utf8 = (text) => Buffer.from(text).toString('latin1');
  const sent = await ask(server.origin, '/rules/latin1/text');
  expect(sent.headers['x-own']).toBe(utf8('ÿ£'));
  const read = await ask(server.origin, '/rules/latin1/read', { headers: { 'x-sent': utf8('é') } });
  expect(await contentOf(read)).toEqual({ sent: 'é' });
  await server.stop();
});

test.each(['Bun', 'Deno'])('%s: unusual hooks and handlers do the same as on Node', async (runtime) => {
  const answers = await outputOf[runtime]('runtimes/unusual-code.mjs');
  const onNode = await outputOf.Node('runtimes/unusual-code.mjs');
  expect({ ...answers, destroyed: undefined }).toEqual({ ...onNode, destroyed: undefined });
  expect(answers['refused: proxy']).toEqual([403, expect.stringContaining('denied')]);
  expect(answers.users).toContain('{"user":"ada"}');
  // Other runtimes close no connection of a request that could still get a response.
  expect([onNode.destroyed, answers.destroyed]).toEqual(['failed', [503, '']]);
});

test('every rule of the specification is shown, or has a reason why no request can show it', () => {
  const page = readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8');
  const numbers = rules.map(({ rule }) => rule).filter((rule) => /^\d/.test(rule));
  expect([...numbers, ...Object.keys(notShown)].sort()).toEqual(
    readRules(page)
      .map(({ number }) => number)
      .sort(),
  );
});

/** How a runtime serves a module whose default export has `fetch`, and where it prints the port. */
const servers = {
  bun: [() => [...runtimes.bun(), 'run', '--port=0'], /http:\/\/localhost:(\d+)/],
  deno: [
    () => [
      locateDeno(),
      'serve',
      '--allow-env',
      '--allow-read',
      '--node-modules-dir=manual',
      '--port=0',
      '--host=127.0.0.1',
    ],
    /http:\/\/127\.0\.0\.1:(\d+)/,
  ],
};

describe.each(Object.keys(servers))(
  '%s serves a module whose default export is the application',
  (runtime) => {
    test.each(['ambit', 'fastify'])('with %s', async (flavor) => {
      const [command, port] = servers[runtime];
      const server = await start([...command(), 'runtimes/app.mjs', flavor], port);
      expect(await text(await ask(server.origin, '/cookies'))).toBe('ok');
      await server.stop();
    });
  },
);
