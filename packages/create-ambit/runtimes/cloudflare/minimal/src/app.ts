import { type AmbitOptions, ambit } from 'ambit';

/** Creates the application. The worker serves it, and each test has its own. */
export default function makeApp(options: AmbitOptions = {}) {
  return ambit(options)
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
