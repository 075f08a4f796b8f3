import { expect, test, vi } from 'vitest';
import { warningsOf } from '../test/support/warnings.ts';
import * as everything from './index.ts';
import errorsByDeepImport from './lib/errors.ts';
import symbols from './lib/symbols.ts';

const { default: factory, errorCodes, fastify, LogController } = everything;

test('the factory is the default, the named and the CommonJS export, and a property of itself', () => {
  expect(factory).toBe(fastify);
  expect(Reflect.get(everything, 'module.exports')).toBe(fastify);
  expect({ ...fastify }).toEqual({ fastify, default: fastify, errorCodes, LogController });
});

test('its version is the version of Fastify that it implements', () => {
  expect(fastify().version).toBe('5.12.8');
});

test('a request has no time limit unless one is given, as in Fastify', () => {
  const limitMs = (options?: object): number =>
    (fastify(options).server as { requestTimeout: number }).requestTimeout;
  expect(limitMs()).toBe(0);
  expect(limitMs({ requestTimeout: 5_000 })).toBe(5_000);
});

test('changes by serializers are not logged without the option, even in development', async () => {
  vi.stubEnv('NODE_ENV', 'development');
  const lines: string[] = [];
  const logger = { level: 'warn', stream: { write: (line: string) => lines.push(line) } };
  for (const options of [{}, { reportSerialization: true }]) {
    const app = fastify({ logger, ...options });
    app.get('/', { schema: { response: { 200: { type: 'object', properties: {} } } } }, () => ({ a: 1 }));
    await app.inject('/');
    lines.push('answered');
  }
  vi.unstubAllEnvs();
  expect(lines).toEqual(['answered', expect.stringContaining('dropped'), 'answered']);
});

test('options that nobody knows are ignored: the adapter of NestJS passes on its own', async () => {
  expect(await warningsOf(() => fastify({ skipMiddie: true } as never))).toEqual([]);
});

test('options that are not an object are rejected with the code of Fastify', () => {
  expect(() => fastify('options' as never)).toThrow(errorCodes.FST_ERR_OPTIONS_NOT_OBJ as never);
});

test('the catalogue contains exactly the codes of Fastify', () => {
  for (const [code, ErrorClass] of Object.entries(errorCodes)) {
    expect(code).toMatch(/^FST_ERR_/);
    expect(ErrorClass.code).toBe(code);
  }
  expect(errorsByDeepImport).toBe(errorCodes);
});

test('default validation messages are worded as in Fastify', async () => {
  const app = fastify();
  app.post('/', { schema: { body: { type: 'object', required: ['name'] } } }, () => 'valid');
  const reply = await app.inject({ method: 'POST', url: '/', payload: {} });
  expect(reply.json<Error>().message).toBe("body must have required property 'name'");
});

test('the serializer of a reply can be read with the symbol of the ecosystem', async () => {
  const app = fastify();
  const serialize = (payload: { isRead: boolean }): string => `read: ${payload.isRead}`;
  app.get('/', (_request, reply) => {
    reply.serializer(serialize);
    return { isRead: Reflect.get(reply, symbols.kReplySerializer) === serialize };
  });
  expect((await app.inject('/')).body).toBe('read: true');
});
