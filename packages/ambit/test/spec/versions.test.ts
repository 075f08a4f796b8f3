/** Spec 9: versions of the API level, the validator engine and the schema dialect. */
import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';

const require = createRequire(import.meta.url);

function pluginFor(range: string): () => Promise<void> {
  return Object.assign(async () => {}, { [Symbol.for('plugin-meta')]: { name: 'ranged', fastify: range } });
}

describe('the API level that plugin ranges are checked against', () => {
  for (const range of ['4.x', '>=4.17.0', '^4.0.0', '5.x', '^5.3.0', '5.12.8', '>=5']) {
    test(`a plugin written for ${range} is taken`, async () => {
      const app = ambit();
      app.register(pluginFor(range));
      await app.ready();
      expect(app.hasPlugin('ranged')).toBe(true);
    });
  }

  for (const range of ['3.x', '<4', '^5.13.0', '6.x', '>=6']) {
    test(`a plugin written for ${range} is refused at boot`, async () => {
      const app = ambit();
      app.register(pluginFor(range));
      await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_PLUGIN_VERSION_MISMATCH' });
    });
  }
});

test('the default validator is engine major version 8', async () => {
  const engines: unknown[] = [];
  const app = ambit({ ajv: { onCreate: (ajv) => engines.push(ajv) } });
  app.post('/', { schema: { body: { type: 'object' } } }, () => 'valid');
  await app.ready();
  expect(engines.length).toBeGreaterThan(0);
  expect(engines[0]).toBeInstanceOf(Ajv);
  expect(require('ajv/package.json').version).toMatch(/^8\./);
});

describe('JSON Schema Draft 7', () => {
  const draft7 = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      kind: { const: 'order' },
      amount: { type: 'number', exclusiveMinimum: 0 },
      lines: { type: 'array', contains: { const: 'paid' } },
    },
    propertyNames: { maxLength: 6 },
    if: { properties: { amount: { type: 'number', minimum: 100 } }, required: ['amount'] },
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of Draft 7.
    then: { required: ['kind'] },
  };
  const app = ambit({ ajv: { customOptions: { removeAdditional: false } } });
  app.post('/', { schema: { body: draft7 } }, () => 'valid');

  for (const [what, payload, status] of [
    ['const holds', { kind: 'order' }, 200],
    ['const fails', { kind: 'gift' }, 400],
    ['exclusiveMinimum one above', { amount: 1 }, 200],
    ['exclusiveMinimum at it', { amount: 0 }, 400],
    ['contains holds', { lines: ['open', 'paid'] }, 200],
    ['contains fails', { lines: ['open'] }, 400],
    ['propertyNames at the limit', { sixsix: 1 }, 200],
    ['propertyNames past the limit', { seven77: 1 }, 400],
    ['if without then', { amount: 99 }, 200],
    ['if with then unmet', { amount: 100 }, 400],
    ['if with then met', { amount: 100, kind: 'order' }, 200],
  ] as const) {
    test(`keywords of Draft 7: ${what} answers ${status}`, async () => {
      expect((await app.inject({ method: 'POST', url: '/', payload })).statusCode).toBe(status);
    });
  }

  for (const [what, body] of [
    [
      'the boolean exclusiveMinimum of Draft 4',
      { type: 'object', properties: { n: { type: 'number', minimum: 1, exclusiveMinimum: true } } },
    ],
    [
      'a schema that declares Draft 2019-09',
      { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object', properties: {} },
    ],
    ['a type that does not exist', { type: 'objekt', properties: {} }],
  ] as const) {
    test(`${what} is refused at boot`, async () => {
      const refusing = ambit();
      refusing.post('/', { schema: { body } }, () => 'valid');
      await expect(refusing.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
    });
  }
});

test('the application tells the version of the framework', () => {
  const { version } = require('../../package.json') as { version: string };
  expect(ambit().version).toBe(version);
});
