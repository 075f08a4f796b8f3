// Prints how Deno would send three responses of an application: which of its ways `Response` objects select, and the type that
// code reads of them.
import { ambit } from 'ambit';

const { Deno } = globalThis;
const { serve } = Deno;
let serveRequest;
Object.defineProperty(Deno, 'serve', {
  value(options, handler) {
    serveRequest = handler;
    return serve.call(Deno, options, handler);
  },
});

const app = ambit();
app.get('/json', () => ({ hello: 'world' }));
app.get('/text', (_request, reply) => reply.code(201).send('hello'));
app.get('/with-field', (_request, reply) => reply.header('x-own', 'own').send({ hello: 'world' }));
await app.listen({ host: '127.0.0.1', port: 0 });

const describe = async (path) => {
  const response = await serveRequest(new Request(`http://127.0.0.1${path}`), {});
  const way = Object.getOwnPropertySymbols(response).find(
    ({ description }) => description === 'serve fast header kind',
  );
  return [response[way], response.status, response.headers.get('content-type'), await response.text()];
};
console.log(JSON.stringify(await Promise.all(['/json', '/text', '/with-field'].map(describe))));
Deno.exit();
