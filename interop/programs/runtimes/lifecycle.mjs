// An application whose life the tests steer: `lifecycle.mjs FLAVOR OPTIONS LISTEN-OPTIONS`. It listens, prints what it knows of
// itself as a line of JSON, or its error, and prints a line for each command that it reads.
import { createInterface } from 'node:readline';
import { ambit } from 'ambit';
import { fastify } from 'fastify';

const [flavor, optionsText, listenText] = process.argv.slice(2);
const { plugin, isAbortable, ...options } = JSON.parse(optionsText);
const listenOptions = JSON.parse(listenText);
const lines = [];
const aborter = new AbortController();
if (isAbortable) listenOptions.signal = aborter.signal;

/** What an application, or a plugin of it, does with the server of node. */
const plugins = {
  sockets: (app) =>
    app.server.on('upgrade', (_request, socket) =>
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: own\r\n\r\n'),
    ),
  prepended: (app) => app.server.prependListener('upgrade', () => {}),
  requests: (app) => app.server.on('request', () => {}),
  connections: (app) => app.server.once('connection', () => {}),
  limits: (app) => app.server.setTimeout(1000),
  protected: (app) => app.setOverload({ maxLimit: 20 }),
  raw: (app) => {
    app.setErrorHandler((error, _request, reply) => reply.send(describe(error)));
    // Not the last thing that a handler does: Bun would then leave the handler out of the stack.
    app.get('/raw/request', ({ raw }) => ({ certificate: raw.socket.getPeerCertificate() }));
    app.get('/raw/reply', (_request, reply) => ({ assigned: reply.raw.assignSocket({}) }));
  },
  broken: () => {
    throw new Error('no database');
  },
  assigned: (app) => {
    app.server.keepAliveTimeout = 5;
  },
};

const make = flavor === 'fastify' ? fastify : ambit;
const app = make({
  ...options,
  logger: { stream: { write: (line) => void lines.push(JSON.parse(line).msg) } },
});
const hooks = [];
app.addHook('onListen', async () => void hooks.push('onListen'));
app.addHook('preClose', async () => void hooks.push('preClose'));
app.addHook('onClose', async () => void hooks.push(`onClose, listening: ${app.server.listening}`));
let release;
const released = new Promise((resolve) => {
  release = resolve;
});
app.get('/', ({ ip, protocol, hostname, raw }) => ({ ip, protocol, hostname, raw: raw.constructor.name }));
app.get('/slow', async () => {
  print({ event: 'slow' });
  await released;
  return 'slow';
});
// What it calls came to no server.
app.get('/slow-inside', () => app.fetch(new Request('http://localhost/slow')));
app.get('/large', () => 'x'.repeat(2 ** 26));
app.get('/gone', async ({ signal }) => {
  print({ event: 'asked' });
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  print({ event: 'gone' });
});
if (plugin) registerPlugin(app, plugin);

function registerPlugin(to, name) {
  const run = async (child) => plugins[name](child);
  to.register(Object.assign(run, { [Symbol.for('fastify.display-name')]: name }));
}

const print = (value) => console.log(JSON.stringify(value));
const describe = (error) => ({
  code: error.code,
  message: error.message,
  ...error.where,
});
const ask = async (origin) => (await fetch(`${origin}/`)).json();

/** JSON has no functions. */
function withFunctions(options = {}) {
  const entries = Object.entries(options);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === 'a function' ? () => {} : value]),
  );
}

/** The error of another application that listens with these options. */
async function refusalOf({ plugin, listen, options }) {
  try {
    const other = make(withFunctions(options));
    if (plugin) registerPlugin(other, plugin);
    return { address: await other.listen({ port: 0, ...listen }) };
  } catch (error) {
    return describe(error);
  }
}

const commands = {
  refuse: (given) => refusalOf(given),
  'refuse to a callback': ({ plugin }) => {
    const other = make();
    registerPlugin(other, plugin);
    return new Promise((resolve) => {
      other.listen({ port: 0 }, (error, address) => resolve({ message: error?.message, address }));
    });
  },
  listen: async (given) => ({ address: await app.listen(given) }),
  close: async (given) => ({
    closed: (await app.close(given)) ?? null,
    hooks,
    lines,
    address: app.server.address(),
  }),
  release: () => release() ?? {},
  abort: () => aborter.abort() ?? {},
  ask: async (origin) => ask(origin),
};

try {
  const address = await app.listen(listenOptions);
  const { listeningOrigin, server } = app;
  print({
    address,
    addresses: app.addresses(),
    listeningOrigin,
    own: server.address(),
    listening: server.listening,
  });
} catch (error) {
  print({ error: describe(error) });
}
createInterface({ input: process.stdin })
  .on('line', async (line) => {
    const { command, given } = JSON.parse(line);
    try {
      print({ [command]: await commands[command](given) });
    } catch (error) {
      print({ [command]: { error: describe(error) } });
    }
  })
  .on('close', () => process.exit());
