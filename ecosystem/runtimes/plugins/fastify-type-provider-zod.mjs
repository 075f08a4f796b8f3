import { deepEqual, equal } from 'node:assert/strict';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';

export function setUp(app) {
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  const note = z.object({ title: z.string().min(1) });
  app.post('/', { schema: { body: note, response: { 200: note } } }, (request) => ({
    ...request.body,
    more: 1,
  }));
}

export async function check(ask) {
  const headers = { 'content-type': 'application/json' };
  const post = (body) => ask('/', { method: 'POST', headers, body });
  deepEqual(await (await post('{"title":"Sea"}')).json(), { title: 'Sea' });
  equal((await post('{"title":""}')).status, 400);
}
