// Prints the responses of applications with unusual hooks and handlers as JSON. They are the same on each runtime.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { ambit } from 'ambit';

const app = ambit();
const denied = () => Object.assign(new Error('denied'), { statusCode: 403 });
const refuse = async () => {
  await setTimeout(5);
  throw denied();
};

/** For a proxy of a promise: its `then` is that of the promise. */
const readThrough = {
  get: (target, key) => (key === 'then' ? target.then.bind(target) : Reflect.get(target, key)),
};
class OwnPromise {
  constructor(start) {
    this.inner = new Promise(start);
  }
  // biome-ignore lint/suspicious/noThenProperty: a promise of another kind.
  then(...args) {
    return this.inner.then(...args);
  }
}
const withThen = (target) =>
  // biome-ignore lint/suspicious/noThenProperty: a promise of another kind.
  Object.assign(target, { then: (_, reject) => void setImmediate().then(() => reject(denied())) });

/** `onRequest` hooks that refuse the request, with different kinds of promises. */
const refusals = {
  plain: () => refuse(),
  proxy: () => new Proxy(refuse(), readThrough),
  'proxy-of-a-function': new Proxy(async () => {}, { apply: () => refuse() }),
  'own-class': () => new OwnPromise((_, reject) => void refuse().catch(reject)),
  'prototype-of-promises': () => withThen(Object.create(Promise.prototype)),
  'constructor-of-promises': () => withThen({ constructor: Promise }),
  'own-then': () => withThen(Promise.resolve()),
  'failing-constructor': () =>
    Object.defineProperty(withThen({}), 'constructor', {
      get() {
        throw new Error('constructor');
      },
    }),
};
for (const [name, hook] of Object.entries(refusals))
  app.get(`/refused/${name}`, { onRequest: hook }, () => 'a secret');

/** Handlers with different kinds of promises. */
const results = {
  proxy: () => new Proxy(Promise.resolve({ value: 1 }), readThrough),
  'own-class': () => new OwnPromise((resolve) => resolve({ value: 1 })),
  'replies-later': async (_request, reply) => {
    Promise.resolve('sent').then((text) => reply.send(text));
  },
};
for (const [name, handler] of Object.entries(results)) app.get(`/results/${name}`, handler);

const user = new AsyncLocalStorage();
const enterUser = user.enterWith.bind(user);
app.addHook('onRequest', async (request) => {
  // As code does that has taken the method before the application listens.
  if (request.headers['x-user']) enterUser(request.headers['x-user']);
});
app.get('/user', () => ({ user: user.getStore() ?? null }));
const direct = ambit();
direct.get('/', () => {
  const before = user.getStore() ?? null;
  user.enterWith('left behind');
  return { before };
});
const noStorage = Object.create(user);
direct.get('/wrong', () => {
  try {
    noStorage.enterWith('a store of no storage');
  } catch {}
  return 'text';
});
const synchronous = ambit();
synchronous.addHook('onRequest', (request, _reply, done) => {
  request.headers['x-before'] = user.getStore();
  user.enterWith('entered by a hook');
  done();
});
synchronous.get('/', ({ headers }) => ({ before: headers['x-before'] ?? null, now: user.getStore() }));

app.get('/stream', (_request, reply) => reply.send(Readable.from(['text'])));
const seenLater = [];
app.get('/later', {
  handler: () => 'text',
  onResponse: async (request) => {
    await setTimeout(20);
    seenLater.push(
      request.headers['x-name'],
      request.raw.headers['x-name'],
      typeof request.ip,
      request.host.length > 0,
    );
  },
});

let address;
app.get('/address', {
  handler: async () => setTimeout(5, 'text'),
  onResponse: async (request) => {
    await setTimeout(20);
    try {
      address = typeof request.ip;
    } catch (error) {
      address = String(error);
    }
  },
});
app.get('/destroyed', (request) => {
  request.raw.socket.destroy();
});

async function answerOf(url, headers) {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(3000) });
    return [response.status, await response.text()];
  } catch (error) {
    return error.name === 'TimeoutError' ? 'no answer' : 'failed';
  }
}

/** Serves `app.fetch` with a server that the application does not know; Node has none. @returns Its origin. */
async function serveFetch() {
  const options = { port: 0, hostname: '127.0.0.1' };
  const { Bun, Deno } = globalThis;
  if (Bun !== undefined) return Bun.serve({ ...options, fetch: app.fetch }).url.origin;
  if (Deno !== undefined)
    return `http://127.0.0.1:${Deno.serve({ ...options, onListen() {} }, app.fetch).addr.port}`;
  return origin;
}

const answers = {};
const options = { port: 0, host: '127.0.0.1' };
const origin = await app.listen(options);
for (const name of Object.keys(refusals))
  answers[`refused: ${name}`] = await answerOf(`${origin}/refused/${name}`);
for (const name of Object.keys(results))
  answers[`result: ${name}`] = await answerOf(`${origin}/results/${name}`);

const urls = [
  `${origin}/user`,
  await direct.listen(options),
  await synchronous.listen(options),
  `${await serveFetch()}/user`,
];
answers.users = [];
for (const headers of [{}, { 'x-user': 'ada' }, {}, { 'x-user': 'bob' }, {}])
  for (const url of urls) answers.users.push((await answerOf(url, headers))[1]);
answers.wrong = [];
for (let i = 0; i < 3; i++) answers.wrong.push(await answerOf(`${urls[1]}/wrong`));
const head = await fetch(`${origin}/stream`, { method: 'HEAD' });
answers.head = [head.status, head.headers.get('content-length')];
for (const target of [`${origin}/later`, `${urls[3].replace('/user', '')}/later`])
  await answerOf(target, { 'x-name': 'ada' });
await setTimeout(100);
answers.later = seenLater;
await answerOf(`${origin}/address`);
await setTimeout(100);
answers.address = address === 'undefined' || address === 'string' ? 'read' : address;
answers.destroyed = await answerOf(`${origin}/destroyed`);
console.log(JSON.stringify(answers));
process.exit();
