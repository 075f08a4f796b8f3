// Sends the same requests to many applications on Bun or Deno, and prints the responses as JSON: `direct.mjs`, or `direct.mjs seen`. The
// handlers cannot see their request. With `seen`, each application has a hook that does, so that each request gets an exchange.
import { tracingChannel } from 'node:diagnostics_channel';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { ambit } from 'ambit';
import { fastify } from 'fastify';

const isSeen = process.argv[2] === 'seen';
const makers = { ambit, fastify };
let count = 0;

/** Whether a handler was called without an exchange: then code for direct routes has called it. */
const isCalledDirectly = () => /path-routes/.test(new Error('not thrown').stack);
let hasDirectRuns = false;

class Point {
  x = 1;
}

/** Arrow functions without parameters, by path. */
const handlers = {
  object: () => {
    hasDirectRuns ||= isCalledDirectly();
    return { hello: 'wörld' };
  },
  'object-later': async () => ({ hello: await 'world' }),
  'object-at-once': async () => ({ hello: 'world' }),
  counted: () => ({ count: ++count }),
  text: () => 'täxt',
  'text-at-once': async () => 'text',
  'text-later': async () => setTimeout(5, 'later'),
  'empty-text': () => '',
  nothing: async () => {},
  null: () => null,
  number: () => 7,
  boolean: async () => false,
  array: () => [1, { a: 2 }],
  bytes: () => Buffer.from([0, 255]),
  stream: () => Readable.from(['a', 'b']),
  'web-stream': async () => new Blob(['blob']).stream(),
  response: () => new Response('made', { status: 201, headers: { 'x-made': 'yes' } }),
  class: () => new Point(),
  date: () => ({ at: new Date(0) }),
  'to-json': () => ({ toJSON: () => ({ own: true }) }),
  'to-nothing': () => ({ toJSON: () => undefined }),
  iterable: () => ({ async *[Symbol.asyncIterator]() {} }),
  piped: () => ({ pipe: 1, a: 1 }),
  // biome-ignore lint/suspicious/noThenProperty: a promise of another class.
  lazy: () => ({ then: (resolve) => resolve({ lazy: true }) }),
  'then-getter': () => ({
    // biome-ignore lint/suspicious/noThenProperty: reading it fails.
    get then() {
      throw new Error('then');
    },
  }),
  revoked: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  // biome-ignore lint/suspicious/noThenProperty: a promise whose `then` the application has replaced.
  'own-then': () => Object.assign(new Promise(() => {}), { then: (resolve) => resolve?.({ own: 'then' }) }),
  'failing-then': () =>
    Object.assign(new Promise(() => {}), {
      // biome-ignore lint/suspicious/noThenProperty: it fails when it is called.
      then() {
        throw new Error('then');
      },
    }),
  // biome-ignore lint/suspicious/noThenProperty: a promise that is not a thenable.
  'no-then': () => Object.assign(new Promise(() => {}), { then: undefined }),
  'fails-once': () => {
    let calls = 0;
    return {
      toJSON() {
        calls++;
        if (calls === 1) throw new Error('first');
        return { calls };
      },
    };
  },
  error: () => Object.assign(new Error('thrown'), { statusCode: 418 }),
  thrown: () => {
    throw new Error('thrown');
  },
  'thrown-text': () => {
    throw 'text';
  },
  rejected: async () => {
    throw Object.assign(new Error('rejected'), { statusCode: 409 });
  },
  'rejected-later': async () => {
    await setImmediate();
    throw new Error('rejected');
  },
  big: () => ({ big: 1n }),
  getter: () => ({
    get a() {
      throw new Error('getter');
    },
  }),
};

const hello = { type: 'object', properties: { hello: { type: 'string' } }, required: ['hello'] };
const reportError = (error, { id, url, query, params, method }, reply) =>
  reply.send({ error: String(error?.message ?? error), id, url, query, params, method });

const setUps = {
  plain: () => ({}),
  'an error handler': (app) => app.setErrorHandler(reportError) && {},
  'a response schema': () => ({ schema: { response: { 200: hello, '4xx': { type: 'object' } } } }),
  'an error handler of the route': () => ({ errorHandler: reportError }),
  'an onError hook': (app) => app.addHook('onError', async () => {}) && {},
  'a reply serializer': (app) =>
    app.setReplySerializer((payload, status) => `${status} ${typeof payload}`) && {},
  decorators: (app) => app.decorateRequest('own', 'own').decorateReply('own', 'own') && {},
  'a decorated send': (app) =>
    app.decorateReply('send', function (payload) {
      this.raw.end(`sent: ${typeof payload}`);
      return this;
    }) && {},
  'a time limit': () => ({ handlerTimeout: 60_000 }),
  'a constraint': (app) =>
    app.get('/object', { constraints: { host: 'other.test' } }, () => 'of another host') && {},
  methods: () => ({ method: ['GET', 'PUT'] }),
};

const options = {
  'request ids from a header': { requestIdHeader: 'x-id' },
  'request ids from a function': { genReqId: () => 'made' },
  'loose paths': {
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
  },
  'no HEAD routes': { exposeHeadRoutes: false },
  'rewritten URLs': { rewriteUrl: ({ url }) => url.replace('/rewritten', '') },
  'a query string parser': { routerOptions: { querystringParser: (text) => ({ text }) } },
  'a log': { logger: { level: 'silent' } },
};

const variants = (path) => [
  ['GET', path],
  ['GET', `${path}?a=1&b=`],
  ['HEAD', path],
  ['POST', path],
  ['PUT', path],
  ['GET', `${path}/`],
  ['GET', `/${path}`],
  ['GET', path.toUpperCase()],
  ['GET', `/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`],
  ['GET', `/rewritten${path}`],
];

async function answerOf(origin, method, path) {
  try {
    const response = await fetch(origin + path, { method, headers: { 'x-id': 'sent' } });
    const { date: _, ...headers } = Object.fromEntries(response.headers);
    return [method, path, response.status, headers, await response.text()];
  } catch {
    return [method, path, 'failed'];
  }
}

async function answersOf(flavor, appOptions, setUp) {
  count = 0;
  const app = makers[flavor](appOptions);
  if (isSeen) app.addHook('onRequest', async () => {});
  const details = setUp(app);
  for (const [name, handler] of Object.entries(handlers))
    app.route({ method: 'GET', ...details, url: `/${name}`, handler });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answers = [];
  for (const name of Object.keys(handlers))
    for (const [method, path] of variants(`/${name}`)) answers.push(await answerOf(origin, method, path));
  return answers;
}

/** Sends the bytes of a request that no client of HTTP would send. */
async function rawAnswerOf(port, head) {
  const socket = connect(port, '127.0.0.1', () => socket.write(head));
  const chunks = await socket.toArray();
  const [top, body] = Buffer.concat(chunks).toString('utf8').split('\r\n\r\n');
  return [head, top.split(' ')[1], body];
}

/** How many of 70 direct routes are called without an exchange, in an application with 70 other routes that were added before. */
async function countDirectOfMany() {
  const app = ambit();
  const numbers = Array.from({ length: 70 }, (_, number) => number);
  for (const number of numbers) app.get(`/seen/${number}`, (request) => request.url);
  for (const number of numbers)
    app.get(`/direct/${number}`, () => ({ number, isDirect: isCalledDirectly() }));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const answers = [];
  for (const number of numbers) {
    if ((await (await fetch(`${origin}/seen/${number}`)).text()) !== `/seen/${number}`)
      throw new Error('other route');
    answers.push(await (await fetch(`${origin}/direct/${number}`)).json());
  }
  await app.close();
  if (answers.some((answer, index) => answer.number !== index)) throw new Error('other route');
  return answers.filter((answer) => answer.isDirect).length;
}

/** Only for Bun: on Deno, routes refuse a wrong host, except direct routes whose path has one segment. */
const wrongHosts = globalThis.Bun === undefined ? [] : ['1.1\r\nHost: a b'];

/** The responses to requests with an unusual path or `Host`. */
async function rawAnswersOf() {
  const app = ambit();
  if (isSeen) app.addHook('onRequest', async () => {});
  app.setErrorHandler(reportError);
  app.get('/object', handlers.object);
  app.get('/later', handlers['rejected-later']);
  app.get('/dots/../up', handlers.thrown);
  app.get('/dots/./here', handlers.thrown);
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const answers = [];
  for (const path of ['/object', '/later?a=1', '/dots/../up', '/dots/./here', '/up', '//object'])
    for (const end of ['1.0', '1.1\r\nHost:', ...wrongHosts, '1.1\r\nHost: a'])
      answers.push(await rawAnswerOf(port, `GET ${path} HTTP/${end}\r\nConnection: close\r\n\r\n`));
  return answers;
}

/** Closes the application while a handler waits. */
async function closingOf(flavor) {
  const app = makers[flavor]();
  if (isSeen) app.addHook('onRequest', async () => {});
  const events = [];
  const { promise, resolve } = Promise.withResolvers();
  app.get('/waits', () => promise);
  app.get('/closes', () => {
    app.close().then(() => events.push('closed'));
    return { closing: true };
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const waiting = answerOf(origin, 'GET', '/waits');
  await setTimeout(100);
  const closes = await answerOf(origin, 'GET', '/closes');
  await setTimeout(100);
  events.push('released');
  resolve('waited');
  const waited = await waiting;
  await app.close();
  await setImmediate();
  return [closes, waited, events];
}

/** Closes while handlers wait longer than they may. */
async function cutOff() {
  const app = ambit();
  if (isSeen) app.addHook('onRequest', async () => {});
  app.get('/never', () => new Promise(() => {}));
  app.get('/at-last', () => setTimeout(400, { at: 'last' }));
  app.get('/fails', async () => {
    await setTimeout(20);
    throw new Error('failed');
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const waiting = ['/never', '/at-last', '/fails'].map((path) => answerOf(origin, 'GET', path));
  await setTimeout(10);
  const count = await app.close({ graceMs: 100 });
  return [count, ...(await Promise.all(waiting))];
}

/** Handlers that close their own application, and then wait. */
async function closedByHandlers() {
  const answers = [];
  for (const options of [undefined, { graceMs: 200 }, { graceMs: 200, delayMs: 100 }])
    for (const ms of [0, 50, 600]) {
      const app = ambit();
      if (isSeen) app.addHook('onRequest', async () => {});
      let closed;
      app.get('/', () => {
        closed = app.close(options);
        return ms === 0 ? { now: true } : setTimeout(ms, { later: true });
      });
      const origin = await app.listen({ host: '127.0.0.1', port: 0 });
      answers.push(await answerOf(origin, 'GET', '/'), (await closed) ?? 'closed');
    }
  return answers;
}

/** The events that monitoring tools get if they subscribe while the application runs. */
async function tracesOf(flavor) {
  const app = makers[flavor]();
  if (isSeen) app.addHook('onRequest', async () => {});
  app.get('/', () => ({}));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const events = [];
  const subscriber = { start: ({ request }) => events.push(request.id) };
  for (const name of ['ambit.request', 'fastify.request.handler']) {
    await answerOf(origin, 'GET', '/');
    tracingChannel(name).subscribe(subscriber);
    await answerOf(origin, 'GET', '/');
    tracingChannel(name).unsubscribe(subscriber);
    events.push(name);
  }
  return events;
}

const answers = {};
for (const flavor of Object.keys(makers)) {
  for (const [name, setUp] of Object.entries(setUps))
    answers[`${flavor}, ${name}`] = await answersOf(flavor, {}, setUp);
  for (const [name, appOptions] of Object.entries(options))
    answers[`${flavor}, ${name}`] = await answersOf(flavor, appOptions, setUps.plain);
  answers[`${flavor}, closing`] = await closingOf(flavor);
  answers[`${flavor}, traces`] = await tracesOf(flavor);
}
answers['cut off'] = await cutOff();
answers['closed by handlers'] = await closedByHandlers();
answers.raw = await rawAnswersOf();
console.log(JSON.stringify({ hasDirectRuns, directOfMany: await countDirectOfMany(), answers }));
process.exit();
