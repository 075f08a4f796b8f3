/** How a document describes responses that are sent item by item. */
import { ambit } from 'ambit';
import { expect, test } from 'vitest';
import { toOpenAPI } from '../index.ts';

const price = { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] } as const;

for (const openapi of ['3.1', '3.0'] as const) {
  test(`OpenAPI ${openapi}, which has no keyword for items, describes a stream as an array of them, unless it has a schema`, async () => {
    const app = ambit();
    const whole = { type: 'string', description: 'All prices' } as const;
    const content = {
      'application/x-ndjson': { itemSchema: price },
      'application/jsonl': { itemSchema: price, schema: whole },
    } as const;
    app.get('/prices', { schema: { response: { 200: { content } } } }, async function* () {
      yield { cents: 1 };
    });
    const { paths } = await toOpenAPI(app, { openapi });
    const { responses } = paths!['/prices']!.get as { responses: Record<string, { content: object }> };
    expect(responses[200]!.content).toEqual({
      'application/x-ndjson': { 'x-itemSchema': price, schema: { type: 'array', items: price } },
      'application/jsonl': { 'x-itemSchema': price, schema: whole },
    });
  });
}

for (const [openapi, field] of [
  ['3.2', 'itemSchema'],
  ['3.1', 'x-itemSchema'],
  ['3.0', 'x-itemSchema'],
] as const) {
  test(`OpenAPI ${openapi} has the schema of the items in ${field}, for each media type`, async () => {
    const app = ambit();
    const content = {
      'text/event-stream': { itemSchema: { id: { type: 'string' }, data: price } },
      'application/x-ndjson': { itemSchema: price },
    } as const;
    app.get('/prices', { schema: { response: { 200: { content } } } }, async function* () {
      yield { cents: 1 };
    });
    const { paths } = await toOpenAPI(app, { openapi });
    expect(paths).toMatchObject({
      '/prices': {
        get: {
          responses: {
            200: {
              content: {
                'text/event-stream': {
                  [field]: { type: 'object', properties: { id: { type: 'string' }, data: price } },
                },
                'application/x-ndjson': { [field]: price },
              },
            },
          },
        },
      },
    });
  });
}
