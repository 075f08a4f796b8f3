// Two servers in one process: the application, and /metrics on a separate port, which is only reachable from inside.
import { ambit } from 'ambit';
import { measureRequests, metricsRoute } from './metrics.mjs';

const app = ambit({ logger: true, logTraceContext: true, health: true, overload: true });
const { registry, stop } = measureRequests(app);

const id = { type: 'object', properties: { id: { type: 'integer' } } };
app.get('/notes/:id', { schema: { params: id } }, ({ params }) => ({ id: params.id, text: 'hello' }));
app.get('/broken', () => {
  throw new Error('this note cannot be read');
});

// Metrics reveal the routes and their load, so they are not served on the port of the application.
const metricsApp = ambit();
metricsApp.register(metricsRoute, { registry });

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await app.close({ graceMs: 10_000 });
    stop();
    await metricsApp.close();
  });
}

const metricsHost = process.env.METRICS_HOST || '127.0.0.1';
const metricsUrl = await metricsApp.listen({
  port: Number(process.env.METRICS_PORT || 9464),
  host: metricsHost,
});
await app.listen({ port: Number(process.env.PORT || 3000) });
const [{ port }] = app.addresses();
console.log(`
Try:
  curl localhost:${port}/notes/7
  curl localhost:${port}/broken
Then read:
  ${metricsUrl}/metrics
`);
