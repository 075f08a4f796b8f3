import { type AmbitOptions, ambit } from 'ambit';

/** Creates the application. `ambit dev` and `ambit start` serve it, and each test has its own. */
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
