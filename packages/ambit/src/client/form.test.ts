/** Forms of the typed client, sent to a route whose schema declares them. */
import { ambit } from 'ambit';
import { client, form } from 'ambit/client';
import { describe, expect, test } from 'vitest';
import { serve } from '../../test/support/serve.ts';

const makeApp = () =>
  ambit().post(
    '/albums',
    {
      schema: {
        body: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['title', 'picture'],
                properties: {
                  title: { type: 'string' },
                  kind: { enum: ['public', 'private'] },
                  year: { type: 'integer' },
                  taken: { type: 'string', format: 'date-time' },
                  tags: { type: 'array', items: { type: 'string' } },
                  place: { type: 'object', required: ['lat'], properties: { lat: { type: 'number' } } },
                  picture: { type: 'string', format: 'binary' },
                  others: { type: 'array', items: { type: 'string', format: 'binary' } },
                },
              },
            },
          },
        },
      },
    },
    async ({ body: { picture, others = [], ...fields } }) => ({
      ...fields,
      files: await Promise.all([picture, ...others].map(async (file) => [file.name, await file.text()])),
    }),
  );

describe('form', () => {
  test('sends text, numbers, dates, arrays, objects and files', async () => {
    const app = makeApp();
    const api = client<typeof app>(await serve(app));
    const reply = await api.post('/albums', {
      body: form({
        title: 'Summer',
        kind: 'public',
        year: 2026,
        taken: '2026-07-01T00:00:00Z',
        tags: ['sea', 'sun'],
        place: { lat: 54.5 },
        picture: new File(['bytes'], 'beach.png'),
        others: [new Blob(['more'])],
      }),
    });
    expect([reply.status, reply.body]).toEqual([
      200,
      {
        title: 'Summer',
        kind: 'public',
        year: 2026,
        taken: '2026-07-01T00:00:00Z',
        tags: ['sea', 'sun'],
        place: { lat: 54.5 },
        files: [
          ['beach.png', 'bytes'],
          ['blob', 'more'],
        ],
      },
    ]);
  });

  test('leaves out what is undefined or null', () => {
    expect([...form({ a: undefined, b: null, c: '', d: [undefined, 1] })]).toEqual([
      ['c', ''],
      ['d', '1'],
    ]);
  });

  test('writes values as a query does: dates in ISO 8601, and the digits of a bigint', async () => {
    const [[, since], [, big], [, nested]] = [
      ...form({ since: new Date(0), big: 2n ** 64n, nested: { big: 1n, since: new Date(0) } }),
    ] as [[string, string], [string, string], [string, Blob]];
    expect([since, big]).toEqual(['1970-01-01T00:00:00.000Z', '18446744073709551616']);
    expect(JSON.parse(await nested.text())).toEqual({ big: '1', since: '1970-01-01T00:00:00.000Z' });
  });

  test('is accepted by inject', async () => {
    const app = makeApp();
    const reply = await app.inject.post('/albums', {
      body: form({ title: 'Winter', picture: new File(['snow'], 'snow.png') }),
    });
    expect(reply.json()).toMatchObject({ title: 'Winter', files: [['snow.png', 'snow']] });
  });

  test('must match the schema', () => {
    const app = makeApp();
    const post = client<typeof app>('http://localhost').post;
    const picture = new Blob([]);
    const calls = (): unknown[] => [
      // @ts-expect-error: the title is missing.
      post('/albums', { body: form({ picture }) }),
      // @ts-expect-error: a title is text.
      post('/albums', { body: form({ title: 1, picture }) }),
      // @ts-expect-error: a picture is a file.
      post('/albums', { body: form({ title: 'a', picture: 'text' }) }),
      // @ts-expect-error: there is no such kind.
      post('/albums', { body: form({ title: 'a', picture, kind: 'secret' }) }),
      post('/albums', { body: new FormData() }),
    ];
    expect(calls).toBeTypeOf('function');
  });
});
