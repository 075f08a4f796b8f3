// One replica of the rolling restarts: `node server.mjs <ambit|fastify> <port> <delayMs>`. It shuts down gracefully on
// SIGTERM.
import { ambit, closeOnSignals } from 'ambit';
import { fastify } from 'fastify';

const [name, port, delayMs] = process.argv.slice(2);
const app = name === 'ambit' ? ambit({ health: { ready: '/ready' } }) : fastify();
app.get('/', () => 'read');
app.post('/', (request) => request.body);
if (name === 'ambit') closeOnSignals(app, { delayMs: Number(delayMs), graceMs: 5_000 });
else {
  app.get('/ready', () => 'ready');
  process.once('SIGTERM', async () => {
    await app.close();
    process.exit();
  });
}
await app.listen({ port: Number(port), host: '127.0.0.1' });
process.send?.('listening');
// A worker of a cluster ends by itself when the main process ends.
if (process.env.NODE_UNIQUE_ID === undefined) process.once('disconnect', () => process.exit());
