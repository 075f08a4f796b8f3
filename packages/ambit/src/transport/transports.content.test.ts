/** Which responses have content, and which fields describe it: the same on every transport (RFC 9110, 6.4, 8.6 and 15). */
import { Readable } from 'node:stream';
import { type AmbitOptions, ambit, type Context, type Handler, type Reply } from 'ambit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { combine } from '../../test/support/combine.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';
import { type Answer, exampleTransport, textOf, transports } from '../../test/support/transports.ts';

/** Payloads, and their length if it is known before the head is sent. */
const payloads: readonly { name: string; make: () => unknown; length?: string; type?: string }[] = [
  { name: 'nothing', make: () => undefined },
  { name: 'text', make: () => 'hello', length: '5', type: 'text/plain; charset=utf-8' },
  { name: 'object', make: () => ({ a: 1 }), length: '7', type: 'application/json; charset=utf-8' },
  { name: 'bytes', make: () => Buffer.from('hello'), length: '5', type: 'application/octet-stream' },
  { name: 'blob', make: () => new Blob(['hello']), length: '5', type: 'application/octet-stream' },
  { name: 'node-stream', make: () => Readable.from(['hel', 'lo']) },
  { name: 'web-stream', make: () => new Blob(['hello']).stream() },
];

const extras: Readonly<Record<string, (reply: Reply) => unknown>> = {
  plain: () => {},
  length: (reply) => reply.header('content-length', '12345'),
  trailer: (reply) => reply.trailer('x-end', async () => 'end'),
  chunked: (reply) => reply.header('transfer-encoding', 'chunked'),
};

const methods = ['GET', 'HEAD', 'POST', 'automatic HEAD'];
const cells = payloads.flatMap((payload) => Object.keys(extras).map((extra) => ({ ...payload, extra })));
const questions = combine(methods, payloads, Object.keys(extras)).map(([method, payload, extra]) => ({
  method,
  ...payload,
  extra,
}));

/** Sends each payload with each extra, with the status of the path. */
function makeApp(options: AmbitOptions): Context {
  const app = ambit(options);
  for (const { name, make, extra } of cells) {
    const handler: Handler = ({ params }, reply) => {
      extras[extra]!(reply);
      return reply.code(Number((params as { status: string }).status)).send(make());
    };
    const url = `/:status/${name}/${extra}`;
    app.route({ method: ['GET', 'HEAD', 'POST'], exposeHeadRoute: false, url, handler });
    app.get(`/automatic${url}`, handler);
  }
  app.get('/preflight', (_request, reply) => reply.code(204).header('content-length', '0').send());
  return app;
}

/** What of an answer belongs to its content. */
async function contentOf(answer: Answer): Promise<unknown> {
  const { status, headers } = answer;
  const { 'content-length': length, 'content-type': type, trailer, 'transfer-encoding': coding } = headers;
  return { status, length, type, trailer, coding, text: await textOf(answer) };
}

const none = {
  length: undefined,
  type: undefined,
  trailer: undefined,
  coding: undefined,
  text: '',
};

const all = [...transports, exampleTransport];

describe.each(all)('over $name', ({ options, ask }) => {
  const app = makeApp(options);
  beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }));
  afterAll(() => app.close());
  const askFor = async (method: string, status: number, name: string, extra: string): Promise<unknown> => {
    const [verb, prefix] = method === 'automatic HEAD' ? ['HEAD', '/automatic'] : [method, ''];
    return contentOf(await ask(app, { method: verb, path: `${prefix}/${status}/${name}/${extra}` }));
  };

  describe.each(methods)('a response to %s', (method) => {
    const asked = questions.filter((question) => question.method === method);
    test('with 204 has no content, and no field that describes one', async () => {
      for (const { name, extra } of asked)
        expect([name, extra, await askFor(method, 204, name, extra)]).toEqual([
          name,
          extra,
          { ...none, status: 204 },
        ]);
    });

    test('with 205 has no content, and the length 0', async () => {
      for (const { name, extra } of asked)
        expect([name, extra, await askFor(method, 205, name, extra)]).toEqual([
          name,
          extra,
          { ...none, status: 205, length: '0' },
        ]);
    });

    test('with 304 has no content, and the length that another response would have, if it is known', async () => {
      for (const { name, extra, length, type } of asked) {
        const expected = { length: extra === 'length' ? '12345' : length, type };
        expect([name, extra, await askFor(method, 304, name, extra)]).toEqual([
          name,
          extra,
          { ...none, ...expected, status: 304 },
        ]);
      }
    });
  });

  test.each([
    ['HEAD', undefined],
    ['automatic HEAD', '0'],
  ])(
    'a response to %s has no content, and the length that the response to GET would have, if it is known',
    async (method, lengthOfNothing) => {
      for (const { name, extra, length, type } of cells.filter(({ extra }) => /plain|length/.test(extra))) {
        const known = name === 'nothing' ? lengthOfNothing : length;
        // An automatic HEAD route has the payload of GET. If it is whole, its length is sent, whatever is declared.
        const isWhole = ['text', 'object', 'bytes'].includes(name);
        const isDeclared = extra === 'length' && (method === 'HEAD' || !isWhole);
        const expected = { length: isDeclared ? '12345' : known, type };
        expect([name, extra, await askFor(method, 200, name, extra)]).toEqual([
          name,
          extra,
          { ...none, ...expected, status: 200 },
        ]);
      }
    },
  );

  test.each([100, 101, 103, 199])(
    'a reply with %i is answered 500, because it is not final',
    async (status) => {
      for (const { name } of payloads) {
        const answer = await ask(app, { path: `/${status}/${name}/plain` });
        expect([name, answer.status, JSON.parse(await textOf(answer)).code]).toEqual([
          name,
          500,
          'FST_ERR_BAD_STATUS_CODE',
        ]);
      }
    },
  );
});

/** Over HTTP/2, node's response rejects such a status itself, and node's client hides the length 0. */
const others = transports.filter(({ name }) => !name.startsWith('HTTP/2'));

describe.each(others)('over $name', ({ options, ask }) => {
  test('the length 0 that a plugin declares with 204 is kept', async () => {
    expect(await contentOf(await ask(makeApp(options), { path: '/preflight' }))).toEqual({
      ...none,
      status: 204,
      length: '0',
    });
  });

  test('a status that is not final and was set on `reply.raw` is answered 500', async () => {
    const app = ambit(options);
    app.get('/:kind', ({ params }, reply) => {
      reply.raw.statusCode = 103;
      return reply.send(
        { text: 'hello', stream: Readable.from(['hello']) }[(params as { kind: 'text' }).kind],
      );
    });
    await app.ready();
    for (const path of ['/text', '/stream', '/nothing']) {
      const answer = await ask(app, { path });
      expect([answer.status, JSON.parse(await textOf(answer)).code]).toEqual([
        500,
        'FST_ERR_BAD_STATUS_CODE',
      ]);
    }
  });
});

describe.each([
  ['ours', {}],
  ["node's", { engine: 'node' }],
] as const)('with %s engine', (_whose, options) => {
  test('a response without content does not disturb the one after it', async () => {
    const app = makeApp(options);
    const port = await servePort(app);
    const conversation = await open(port);
    const paths = cells.flatMap(({ name, extra }) =>
      [204, 205, 304].map((status) => `/${status}/${name}/${extra}`),
    );
    conversation.socket.write(
      `${paths.map((path) => request('GET', path)).join('')}${lastRequest('GET', '/nowhere')}`,
    );
    const received = await conversation.ended;
    expect(statuses(received)).toEqual([...paths.map((path) => Number(path.slice(1, 4))), 404]);
    expect(received).not.toContain('hel');
  });

  test('a stream without an end ends the response to HEAD at its first chunk', async () => {
    const app = ambit(options);
    const closed = new Promise((resolve) => {
      app.head('/', (_request, reply) => {
        const stream = new Readable({ read: () => void stream.push('hello') });
        stream.on('close', resolve);
        return reply.send(stream);
      });
    });
    const received = await converse(
      await servePort(app),
      request('HEAD', '/') + lastRequest('GET', '/nowhere'),
    );
    expect(statuses(received)).toEqual([200, 404]);
    await closed;
  });
});
