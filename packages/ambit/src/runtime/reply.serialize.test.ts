/** `reply.serialize` returns what `send` would write: with the serializer of the same status and media type. */
import type { Reply } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const declaring = (...names: string[]) => ({
  schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
});

/** Each media type declares other properties. The value has all of them, and a secret. */
const maps = {
  'with a schema for JSON': {
    'application/json': declaring('json'),
    'application/hal+json': declaring('hal'),
  },
  'with a schema for every type': { 'application/hal+json': declaring('hal'), '*/*': declaring('any') },
};
const value = { json: 'a', hal: 'b', any: 'c', secret: 'd' };

/** The ways to set the type of a reply, or not to set it. */
const heads: Record<string, (reply: Reply) => unknown> = {
  'no type': () => {},
  'the type of JSON': (reply) => reply.type('application/json'),
  'a type with parameters': (reply) => reply.type('Application/JSON; Charset=UTF-8'),
  'another type of JSON': (reply) => reply.type('application/hal+json'),
  'a type in an array': (reply) => reply.type(['application/hal+json'] as never),
  'a type that is none': (reply) => reply.type('text'),
  'a type of raw': (reply) => reply.raw.setHeader('content-type', 'application/hal+json'),
  'a type of raw with a charset': (reply) =>
    reply.raw.setHeader('content-type', 'application/hal+json; charset=utf-8'),
  'another status': (reply) => reply.code(404),
};

for (const [flavor, make] of flavors) {
  describe(`reply.serialize on ${flavor}`, () => {
    for (const [map, content] of Object.entries(maps)) {
      for (const [head, set] of Object.entries(heads)) {
        test(`${map} and ${head} returns what send writes`, async () => {
          const app = make();
          const response = {
            '2xx': { description: 'found', content },
            '4xx': { content: { '*/*': declaring('any') } },
          };
          let text: string | undefined;
          app.get('/', { schema: { response } }, (_request, reply) => {
            set(reply);
            text = reply.serialize(value);
            reply.send(value as never);
          });
          const { body } = await app.inject('/');
          expect(text).toBe(body);
          expect(body).not.toContain('secret');
        });
      }
    }

    test('uses the serializer of the reply, then that of the context, then the schema', async () => {
      const app = make();
      const response = { 200: { content: maps['with a schema for JSON'] } };
      app.register(async (child) => {
        child.setReplySerializer((payload, status) => `${status}: ${JSON.stringify(payload)}`);
        child.get(
          '/context',
          { schema: { response } },
          (_request, reply) => (reply as unknown as Reply).code(201).serialize({ a: 1 }) as never,
        );
        child.get(
          '/reply',
          { schema: { response } },
          (_request, reply) => reply.serializer(() => 'own').serialize({ a: 1 }) as never,
        );
      });
      app.get('/schema', { schema: { response } }, (_request, reply) => reply.serialize(value) as never);
      const bodies = ['/reply', '/context', '/schema'].map(async (url) => (await app.inject(url)).body);
      expect(await Promise.all(bodies)).toEqual(['own', '201: {"a":1}', '{"json":"a"}']);
    });
  });
}
