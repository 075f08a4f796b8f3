import { type AmbitOptions, ambit } from 'ambit';

/** Makes the application. It opens no port, so that each test can have its own. */
export default function makeApp(options: AmbitOptions = {}) {
  return ambit({ logger: { level: process.env.LOG_LEVEL ?? 'info' }, ...options })
    .get('/', () => ({ hello: 'world' }))
    .get('/hello/:name', {
      schema: {
        params: { name: { type: 'string', maxLength: 20 } },
        querystring: { times: { type: 'integer', minimum: 1, maximum: 5, default: 1 } },
        response: { 200: { greeting: { type: 'string' } } },
      },
      handler: ({ params, query }) => ({ greeting: 'hello '.repeat(query.times) + params.name }),
    });
}

// When Node runs this file, not when a test imports it.
if (process.argv[1] === import.meta.filename) {
  const app = makeApp();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => app.close());
  await app.listen({ port: Number(process.env.PORT ?? 3000), host: process.env.HOST ?? 'localhost' });
}
