// A worker whose hooks and handlers continue after their responses, and which has WebSockets.
import { ambit } from 'ambit';

const done = [];
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const app = ambit();
app.get('/hook', {
  onResponse: async ({ headers }) => {
    await wait(200);
    done.push(`hook of ${headers['x-name']}`);
  },
  handler: () => 'text',
});
app.get('/handler', async (_request, reply) => {
  reply.send('text');
  await wait(200);
  done.push('handler');
});
app.get('/done', () => done);

/** @returns A `Response` whose socket sends back what it receives. */
function openSocket() {
  const { 0: client, 1: server } = new globalThis.WebSocketPair();
  server.accept();
  server.addEventListener('message', ({ data }) => server.send(`received ${data}`));
  return new Response(null, { status: 101, webSocket: client });
}
app.get('/returned', { onSend: async (_request, reply) => void reply.header('x-own', '1') }, openSocket);
app.get('/sent', (_request, reply) => reply.send(openSocket()));
app.get('/status', (_request, reply) => reply.code(101).send());

app.get('/length', (_request, reply) =>
  reply.header('content-length', 10).send(new Blob(['first', 'after']).stream()),
);

export default app;
