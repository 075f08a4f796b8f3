/** The schemas that plugins for OpenAPI get. */
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { describeSchemas } from 'ambit';
import { type } from 'arktype';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { z } from 'zod';

const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

test('schemas of other libraries become JSON Schema, the others stay', () => {
  const json = { type: 'object', properties: { a: { type: 'number' } } };
  expect(
    describeSchemas({
      summary: 'a route',
      params: type({ name: 'string' }),
      querystring: toStandardJsonSchema(v.object({ name: v.string() })),
      body: z.object({ name: z.string() }),
      headers: json,
      response: { 200: json },
    }),
  ).toEqual({
    summary: 'a route',
    params: named,
    querystring: named,
    body: named,
    headers: json,
    response: { 200: json },
  });
});

test('request schemas describe what clients may send, response schemas what they get', () => {
  const schema = z.object({ count: z.number().default(1) });
  const { body, response } = describeSchemas({ body: schema, response: { 200: schema } });
  expect(body).not.toHaveProperty('required');
  expect(response?.[200]).toMatchObject({ required: ['count'] });
});

test('media types are described each, with the items of streams', () => {
  const schema = z.object({ name: z.string() });
  const content = {
    'application/json': { schema, example: 1 },
    'application/x-ndjson': { itemSchema: schema },
    'text/plain': { schema: { type: 'string' } },
  };
  expect(describeSchemas({ response: { 200: { description: 'ok', content } } }).response?.[200]).toEqual({
    description: 'ok',
    content: {
      'application/json': { schema: expect.objectContaining(named), example: 1 },
      'application/x-ndjson': { itemSchema: expect.objectContaining(named) },
      'text/plain': { schema: { type: 'string' } },
    },
  });
});

test('a schema that JSON Schema cannot express allows any value', () => {
  expect(describeSchemas({ body: z.date(), params: v.object({}) })).toEqual({ body: {}, params: {} });
});
