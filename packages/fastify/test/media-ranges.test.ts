// The keys of `content` maps, in responses and bodies: the most specific range applies, and a key that nothing matches fails boot.
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';

const only = (name: string) => ({ schema: { type: 'object', properties: { [name]: { type: 'string' } } } });
const account = { name: 'ada', exact: 'x', suffix: 'x', type: 'x', all: 'x', hash: 'secret' };

describe.each(flavors)('%s', (_flavor, make) => {
  const content = {
    '*/*': only('all'),
    'application/*': only('type'),
    'Application/*+JSON': only('suffix'),
    'application/json; charset=utf-8': only('exact'),
  };
  const coarse = { content: { '*/*': only('all'), 'application/*': only('type') } };

  test.each([
    ['application/json', { exact: 'x' }],
    ['Application/JSON; charset=utf-8', { exact: 'x' }],
    ['application/vnd.a+json', { suffix: 'x' }],
    ['text/x-note+json', { all: 'x' }],
    [undefined, { exact: 'x' }],
  ])('a reply of the type %s has the properties of the most specific range', async (type, expected) => {
    const app = make();
    app.get('/', { schema: { response: { '2xx': { content } } } }, (_request, reply) =>
      (type === undefined ? reply : reply.type(type)).send(account),
    );
    const reply = await app.inject('/');
    expect(JSON.parse(reply.body)).toEqual(expected);
    await app.close();
  });

  test('a range of a type is more specific than all types', async () => {
    const app = make();
    app.get('/', { schema: { response: { 200: coarse } } }, (_request, reply) =>
      reply.type('application/vnd.a+json').send(account),
    );
    expect((await app.inject('/')).body).toBe('{"type":"x"}');
    await app.close();
  });

  test.each(['application/*', 'application/*+json', '*/*'])(
    'a range alone, %s, lets nothing undeclared out',
    async (range) => {
      const app = make();
      app.get(
        '/',
        { schema: { response: { 200: { content: { [range]: only('name') } } } } },
        (_request, reply) => reply.type('application/problem+json').send(account),
      );
      app.get(
        '/function',
        { schema: { response: { 200: { content: { [range]: only('name') } } } } },
        (_request, reply) =>
          reply.getSerializationFunction(200, 'application/problem+json')!(account as never),
      );
      expect((await app.inject('/')).body).toBe('{"name":"ada"}');
      expect((await app.inject('/function')).body).toBe('{"name":"ada"}');
      await app.close();
    },
  );

  test('an error reply is written with the range of its type', async () => {
    const app = make();
    app.get(
      '/',
      { schema: { response: { '5xx': { content: { 'application/*': only('message') } } } } },
      () => {
        throw Object.assign(new Error('no'), { secret: 'x' });
      },
    );
    expect((await app.inject('/')).json()).toEqual({ message: 'no' });
    await app.close();
  });

  test('a body is validated by the most specific range, whichever comes first', async () => {
    const app = make();
    const requires = (name: string) => ({ schema: { type: 'object', required: [name] } });
    app.addContentTypeParser(/^application\/.*json$/, { parseAs: 'string' }, (_request, body, done) =>
      done(null, JSON.parse(String(body))),
    );
    const body = {
      content: {
        '*/*': requires('all'),
        'application/*': requires('type'),
        'application/*+json': requires('suffix'),
      },
    };
    app.post('/', { schema: { body } }, () => 'ok');
    const post = async (type: string, name: string) =>
      (
        await app.inject({
          method: 'POST',
          url: '/',
          payload: JSON.stringify({ [name]: 1 }),
          headers: { 'content-type': type },
        })
      ).statusCode;
    expect(await post('application/vnd.a+json', 'suffix')).toBe(200);
    expect(await post('application/vnd.a+json', 'type')).toBe(400);
    expect(await post('application/json', 'type')).toBe(200);
    await app.close();
  });

  const useless: [key: string, problem: string, beside?: string][] = [
    ['*/json', 'is not a media type or a range'],
    ['app*/json', 'is not a media type or a range'],
    ['application/', 'is not a media type or a range'],
    ['/json', 'is not a media type or a range'],
    ['application/a b', 'is not a media type or a range'],
    ['application/*x*', 'is not a media type or a range'],
    ['application/json/x', 'is not a media type or a range'],
    ['*', 'is not a media type or a range'],
    ['json', 'is not a media type or a range'],
    ['Application/JSON', "is the same as another key, 'application/json'", 'application/json'],
    ['application/json; charset=utf-8', "is the same as another key, 'application/json'", 'application/json'],
  ];
  test.each(useless)('the key %s fails boot', async (key, problem, beside = 'text/csv') => {
    const map = { content: { [beside]: only('a'), [key]: only('a') } };
    for (const [part, schema] of [
      ['response 201', { response: { 201: map } }],
      ['body', { body: map }],
    ] as const) {
      const app = make();
      app.post('/notes', { schema }, () => 'ok');
      await expect(app.ready()).rejects.toMatchObject({
        code: 'AMBIT_ERR_MEDIA_RANGE_INVALID',
        message: `the content of ${part} has the key '${key}', which ${problem}, so that its schema would never be used`,
        where: { route: 'POST /notes', file: expect.stringContaining('media-ranges.test.ts') },
      });
    }
  });

  test('two schemas for items of one media type fail boot', async () => {
    const app = make();
    const content = { 'text/event-stream': { itemSchema: {} }, 'Text/Event-Stream': { itemSchema: {} } };
    app.get('/', { schema: { response: { 200: { content } } } }, (() => 'ok') as never);
    await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_MEDIA_RANGE_INVALID' });
  });
});
