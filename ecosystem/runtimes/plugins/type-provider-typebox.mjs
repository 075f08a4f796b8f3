import { equal } from 'node:assert/strict';
import { TypeBoxValidatorCompiler } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';

export function setUp(app) {
  app.setValidatorCompiler(TypeBoxValidatorCompiler);
  const schema = { body: Type.Object({ title: Type.String({ minLength: 1 }) }) };
  app.post('/', { schema }, (request) => request.body.title);
}

export async function check(ask) {
  const headers = { 'content-type': 'application/json' };
  const post = (body) => ask('/', { method: 'POST', headers, body });
  equal(await (await post('{"title":"Sea"}')).text(), 'Sea');
  equal((await post('{"title":""}')).status, 400);
}
