/** The page of one route in a browser: what runs, its form, the answer beside its schema, and its code. */
import { inspector } from '@ambit/inspector';
import { describeRoutes, openapi } from '@ambit/openapi';
import { ambit, type Context, type Reply } from 'ambit';
import type { FastifyInstance } from 'fastify';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { screenshotPath, useBrowser, violations } from '../support/browser.ts';
import { serve } from '../support/serve.ts';

const browser = useBrowser();

interface Opened {
  readonly page: Page;
  readonly answer: Locator;
  readonly origin: string;
  readonly requests: readonly string[];
  field(name: string): Locator;
  send(): Promise<void>;
}

/** Opens the page of the first route of an application. */
async function open(declare: (app: Context) => void, hash = '#/route/0'): Promise<Opened> {
  const app = ambit({ exposeHeadRoutes: false });
  app.register(inspector);
  declare(app as unknown as Context);
  const origin = await serve(app as unknown as FastifyInstance);
  const { page, requests } = await browser.open(`${origin}/__ambit${hash}`);
  await page.locator('.try').waitFor();
  return {
    page,
    origin,
    requests,
    answer: page.locator('.answer'),
    field: (name) => page.locator(`.field[data-name="${name}"]`),
    send: () => page.getByRole('button', { name: 'Send' }).click(),
  };
}

const note = {
  type: 'object',
  required: ['title', 'stars', 'isOpen'],
  properties: {
    title: { type: 'string', maxLength: 40, examples: ['Milk'] },
    stars: { type: 'integer', minimum: 2, maximum: 5 },
    isOpen: { type: 'boolean' },
    kind: { enum: ['task', 'idea', { other: true }] },
    due: { type: 'string', format: 'date' },
    text: { type: 'string', maxLength: 5_000 },
    place: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
};

test('the fields have the types of the schema, and hold a valid sample', async () => {
  const { answer, field, send, page } = await open((app) =>
    app.post('/notes', { schema: { body: note } }, async ({ body }) => body as never),
  );
  expect(await field('title').locator('input').inputValue()).toBe('Milk');
  expect(await field('stars').locator('input').getAttribute('type')).toBe('number');
  expect(await field('isOpen').locator('input').getAttribute('type')).toBe('checkbox');
  expect(await field('due').locator('input').getAttribute('type')).toBe('date');
  expect(await field('text').locator('textarea').count()).toBe(1);
  await field('kind').locator('select').selectOption({ label: '{"other":true}' });
  await send();
  await answer.locator('.status', { hasText: '200' }).waitFor();
  await page.getByRole('button', { name: 'Edit as JSON' }).click();
  expect(JSON.parse(await page.getByLabel('Body as JSON').inputValue())).toEqual({
    title: 'Milk',
    stars: 2,
    isOpen: true,
    kind: { other: true },
    due: '2026-01-31',
    text: 'text',
    place: { city: 'text' },
  });
});

test('a field says what is wrong while one types, and what the application says is wrong', async () => {
  const { answer, field, send, page } = await open((app) =>
    app.post('/notes', { schema: { body: note } }, async ({ body }) => body as never),
  );
  await field('stars').locator('input').fill('9');
  await field('place').locator('textarea').fill('{ "city": ');
  expect(await field('stars').locator('.field-problem').textContent()).toBe('must be <= 5');
  expect(await field('place').locator('.field-problem').textContent()).toMatch(/^is not JSON/);
  await send();
  expect(await answer.textContent()).toBe('');
  await field('place').locator('textarea').fill('');
  await send();
  await answer.locator('.status', { hasText: '400' }).waitFor();
  await field('stars').locator('.field-problem', { hasText: 'should be <= 5' }).waitFor();
  expect(await field('stars').locator('input').getAttribute('aria-invalid')).toBe('true');
  await page.getByRole('alert').getByRole('button', { name: 'stars' }).click();
  expect(await page.evaluate("document.activeElement.closest('.field').dataset.name")).toBe('stars');
});

test('the fields of the query and the headers are sent as they are declared, and secrets are in no address', async () => {
  const { answer, field, send, page } = await open((app) =>
    app.get(
      '/notes/:id',
      {
        schema: {
          params: { id: { type: 'integer', minimum: 3 } },
          querystring: {
            tags: { type: 'array', items: { type: 'string' } },
            limit: { type: 'integer', default: 20 },
          },
          headers: { 'x-tenant': { type: 'string' }, cookie: { type: 'string' } },
        },
      },
      async ({ url, headers }) =>
        ({ url, tenant: headers['x-tenant'], authorization: headers.authorization }) as never,
    ),
  );
  await page.getByText(': the browser sets this header itself.').waitFor();
  await field('tags').locator('textarea').fill('["a", "b c"]');
  await field('x-tenant').locator('input').fill('one');
  await page.getByText('Authorization, if a hook asks for it').click();
  await page.getByLabel('authorization', { exact: true }).fill('Bearer secret');
  await send();
  await answer.locator('.status', { hasText: '200' }).waitFor();
  expect(await answer.locator('pre').textContent()).toBe(
    JSON.stringify(
      { url: '/notes/3?tags=a&tags=b+c&limit=20', tenant: 'one', authorization: 'Bearer secret' },
      null,
      2,
    ),
  );
  expect(page.url()).not.toContain('secret');
  expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('secret');
  expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).toContain('Bearer secret');
});

test('the form asks for what the document requires', async () => {
  const { answer, send, page, origin, requests } = await open((app) => {
    app.register(async (members) => {
      members.addHook('onRequest', async ({ headers }, reply) => {
        if (headers.authorization !== 'Bearer ok') return reply.code(401).send({ message: 'who?' } as never);
      });
      describeRoutes(members, {
        guards: {
          token: { type: 'http', scheme: 'bearer' },
          key: { type: 'apiKey', in: 'query', name: 'k' },
        },
      });
      members.get('/:part(^[a-z]+$)/:more?', async ({ url }) => url as never);
    });
    app.register(openapi);
  }, '#/route/0');
  const route = await page.evaluate<number>(
    "fetch('__ambit/model.json').then((answer) => answer.json()).then(({ routes }) => routes.find(({ url }) => url.startsWith('/:part')).id)",
  );
  await page.evaluate(`location.hash = '#/route/${route}'`);
  await page.locator('.is-guard', { hasText: 'token and key' }).waitFor();
  await page.getByLabel('token (bearer)', { exact: true }).fill('ok');
  await page.getByLabel('key (query k)', { exact: true }).fill('7');
  await send();
  await answer.locator('pre', { hasText: '/a?k=7' }).waitFor();
  expect(requests.filter((url) => !url.startsWith(origin))).toEqual([]);
});

test('the answer is beside its schema, with what the serializer changed marked in its place', async () => {
  const { answer, send } = await open((app) =>
    app.get(
      '/notes',
      {
        schema: {
          response: {
            200: {
              id: { type: 'integer' },
              place: { type: 'object', properties: { city: { type: 'string' } } },
            },
          },
        },
      },
      async () => ({ id: '7', secret: 1, place: { city: 'Rome', inner: 1 } }) as never,
    ),
  );
  await send();
  await answer.locator('.status', { hasText: '200' }).waitFor();
  expect(await answer.locator('pre').textContent()).toBe(
    `{
  "id": 7,coerced: string was written as a number
  "place": {
    "city": "Rome"
    "inner" dropped
  }
  "secret" dropped
}`,
  );
  expect(await answer.locator('.schema-tree').textContent()).toContain('citystring');
});

test('a click leads from an answer to what ran', async () => {
  const { answer, send, page } = await open((app) => app.get('/x', async () => 'x' as never));
  await send();
  await answer.getByRole('link', { name: 'What ran, and for how long' }).click();
  await page.locator('.timing li', { hasText: 'handler' }).waitFor();
  await page.goBack();
  await answer.locator('.status', { hasText: '200' }).waitFor();
});

for (const [size, width] of [
  ['a desk', 1440],
  ['a phone', 390],
] as const) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`on ${size}, ${colorScheme}: the form with failures and its answer break no rule of axe, and fit`, async () => {
      const { answer, field, send, page } = await open((app) =>
        app.post(
          '/notes',
          { schema: { body: note, response: { 200: note } } },
          async ({ body }) => body as never,
        ),
      );
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await send();
      await answer.locator('.status', { hasText: '200' }).waitFor();
      await field('stars').locator('input').fill('9');
      await page.screenshot({ path: screenshotPath(`route form, ${size}, ${colorScheme}`), fullPage: true });
      expect(await violations(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    });
  }
}

test('files are sent as a form, and as a whole body', async () => {
  const file = { name: 'sea.png', mimeType: 'image/png', buffer: Buffer.from('the bytes') };
  const picture = { type: 'string', format: 'binary' };
  const { answer, field, send, page } = await open((app) => {
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    );
    app.post(
      '/form',
      {
        schema: {
          body: {
            content: {
              'multipart/form-data': {
                schema: {
                  type: 'object',
                  required: ['title', 'picture'],
                  properties: { title: { type: 'string' }, picture },
                },
              },
              'application/octet-stream': { schema: {} },
            },
          },
        },
      } as never,
      (async ({ body }: { body: Buffer & { title: string; picture: File } }) =>
        body.title === undefined
          ? { bytes: String(body) }
          : { title: body.title, name: body.picture.name, size: body.picture.size }) as never,
    );
  });
  await field('picture').locator('input').setInputFiles(file);
  await send();
  await answer.locator('pre', { hasText: '"name": "sea.png"' }).waitFor();
  await page.getByLabel('Media type').selectOption('application/octet-stream');
  await page.getByLabel('A file for the body').setInputFiles(file);
  await send();
  await answer.locator('pre', { hasText: '"bytes": "the bytes"' }).waitFor();
});

test('a stream is shown as it arrives, and can be stopped', async () => {
  let isLeft = false;
  const { answer, send, page } = await open((app) => {
    app.get(
      '/events',
      {
        schema: {
          response: {
            200: { content: { 'text/event-stream': { itemSchema: { data: { type: 'string' } } } } },
          },
        } as never,
      },
      async function* (request: { signal: AbortSignal }) {
        request.signal.addEventListener('abort', () => {
          isLeft = true;
        });
        yield { data: 'first' };
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
      } as never,
    );
    app.get('/other', async () => 'x' as never);
  });
  await send();
  await answer.locator('.answer-live', { hasText: 'data: first' }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await answer.getByText('You have stopped it.').waitFor();
  await expect.poll(() => isLeft).toBe(true);
  expect(await answer.locator('pre').textContent()).toContain('data: first');
  isLeft = false;
  await send();
  await answer.locator('.answer-live', { hasText: 'data: first' }).waitFor();
  await page.evaluate("location.hash = '#/route/1'");
  await expect.poll(() => isLeft).toBe(true);
});

for (const [what, answerOf, shown] of [
  ['no content', (reply) => reply.code(204).send(), 'It has no content.'],
  ['a redirect', (reply) => reply.redirect('/elsewhere'), 'The answer is a redirect.'],
  [
    'bytes',
    (reply) => reply.type('application/octet-stream').send(Buffer.from([0, 1, 254, 255])),
    '000000  00 01 fe ff',
  ],
  [
    'an image',
    (reply) => reply.type('image/svg+xml').send('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    'Save as a file',
  ],
  [
    'a connection that ends before the body',
    (reply) => {
      reply.hijack();
      reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      reply.raw.write('{ "half": ');
      setTimeout(() => reply.raw.destroy(), 50);
    },
    'before the body was complete',
  ],
  [
    'a connection that ends before the head',
    (reply) => {
      reply.hijack();
      reply.raw.destroy();
    },
    'There was no answer',
  ],
  [
    '5 MB of JSON',
    (reply) => reply.send(Array.from({ length: 100_000 }, (_, id) => ({ id, name: 'x'.repeat(30) }))),
    'MB',
  ],
] as const satisfies readonly (readonly [string, (reply: Reply) => unknown, string])[]) {
  test(`the answer may be ${what}`, async () => {
    const { answer, send, page, requests, origin } = await open((app) =>
      app.get('/x', ((_request: unknown, reply: unknown) => {
        answerOf(reply as Reply);
      }) as never),
    );
    await send();
    await answer.getByText(shown).first().waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
    expect(requests.filter((url) => !url.startsWith(origin) && !url.startsWith('blob:'))).toEqual([]);
  });
}

test('an answer that takes long shows its time, and can be stopped', async () => {
  const { answer, send, page } = await open((app) => app.get('/slow', () => new Promise<never>(() => {})));
  await send();
  await answer.getByText('waiting for the answer').waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await answer.getByText('You have stopped it.').waitFor();
});

test('hostile schemas are text, and take no longer than others', async () => {
  const attack = '<img src=x onerror="window.attacked = 1">';
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, i) => [`p${i}`, { type: 'integer' }]),
  );
  const { page, answer, send } = await open((app) => {
    app.post('/attack', {
      schema: {
        body: {
          title: attack,
          type: 'object',
          required: ['none'],
          properties: {
            [attack]: { type: 'string', description: attack },
            none: { type: 'string', pattern: 'a^b' },
          },
        },
      },
      handler: async () => 'x' as never,
    });
    app.post(
      '/wide',
      { schema: { body: { type: 'object', properties } } },
      async ({ body }) => body as never,
    );
    app.post(
      '/proto',
      {
        schema: {
          body: JSON.parse('{ "type": "object", "properties": { "__proto__": { "type": "integer" } } }'),
        },
      },
      async ({ body }) => body as never,
    );
    app.addSchema({
      $id: 'tree',
      type: 'object',
      properties: { children: { type: 'array', items: { $ref: '#' } } },
    });
    app.post('/tree', { schema: { body: { $ref: 'tree#' } } }, async ({ body }) => body as never);
  });
  await page.getByText('No valid sample was found: /none must match a^b.').waitFor();
  expect(await page.locator('img').count()).toBe(0);
  expect(await page.evaluate('window.attacked')).toBe(undefined);
  for (const [route, url] of [
    [1, '/wide'],
    [2, '/proto'],
    [3, '/tree'],
  ] as const) {
    await page.evaluate(`location.hash = '#/route/${route}'`);
    await page.locator('.try-url', { hasText: url }).waitFor();
    await send();
    await answer.locator('.status', { hasText: '200' }).waitFor();
  }
  await page.locator('.schema-type', { hasText: 'array of the whole schema again' }).first().waitFor();
});

test('the version of a route is sent', async () => {
  const { answer, send } = await open((app) =>
    app.get(
      '/v',
      { constraints: { version: '2.1.0' } },
      async ({ headers }) => headers['accept-version'] as never,
    ),
  );
  await send();
  await answer.locator('pre', { hasText: '2.1.0' }).waitFor();
});

test('the code of a schema is a file of its own, with numbered lines', async () => {
  const { page } = await open((app) =>
    app.post('/notes', { schema: { body: note } }, async ({ body }) => body as never),
  );
  expect(await page.locator('.route').textContent()).not.toContain('function');
  await page.getByRole('link', { name: 'The code that validates it' }).click();
  await page.locator('h1', { hasText: 'validator-body.js' }).waitFor();
  expect(page.url()).toContain('#/code/0/0');
  const lines = (await page.locator('.code-text').textContent())!.split('\n').length;
  expect((await page.locator('.code-numbers').textContent())!.split('\n')).toHaveLength(lines);
  expect(await page.locator('.code-text').textContent()).toContain('title');
});

test('what is Ambit’s own is listed only with the switch, and functions without a name by their line', async () => {
  const app = ambit({ health: true });
  app.register(inspector);
  app.register(openapi);
  app.addHook('onRequest', async () => {});
  app.get('/mine', () => 'mine');
  const origin = await serve(app as unknown as FastifyInstance);
  const { page } = await browser.open(`${origin}/__ambit#/routes`);
  const urls = () => page.locator('.route-row .pattern').allTextContents();
  await page.locator('.route-row').first().waitFor();
  expect(await urls()).toEqual(['/mine']);
  await page.locator('.route-row .handler', { hasText: /route-page\.test\.ts:\d+$/ }).waitFor();
  await page.getByLabel('show Ambit’s own').check();
  await page.locator('.route-row', { hasText: '/livez' }).first().waitFor();
  expect(await urls()).toEqual(expect.arrayContaining(['/mine', '/docs', '/openapi.json']));
  await page.getByLabel('show Ambit’s own').uncheck();
  await expect.poll(urls).toEqual(['/mine']);
  await page.locator('.route-row a').click();
  await page.locator('.step .file').first().waitFor();
  expect(await page.locator('.step .file').first().getAttribute('href')).toMatch(
    /^vscode:\/\/file\/.*\/route-page\.test\.ts:\d+:\d+$/,
  );
  expect(await page.locator('body').textContent()).not.toMatch(/anonymous/i);
});

test('what cannot be sent is said, and nothing is sent', async () => {
  const { answer, field, send, page } = await open((app) =>
    app.get(
      '/x',
      { schema: { querystring: { tags: { type: 'array', items: { type: 'string' } } } } },
      async () => 'x' as never,
    ),
  );
  await field('tags').locator('textarea').fill('[');
  await send();
  await page
    .getByRole('alert')
    .filter({ hasText: /^tags is not JSON/ })
    .waitFor();
  await field('tags').locator('textarea').fill('');
  await page.locator('summary', { hasText: 'More of the query' }).click();
  await page.getByLabel('Headers, one on each line').fill('not a name: 1');
  await send();
  await page.getByRole('alert').filter({ hasText: 'not a name' }).waitFor();
  expect(await answer.textContent()).toBe('');
});

test('an image is shown, and a redirect says where it leads', async () => {
  const { answer, send, page } = await open((app) => {
    app.get('/image', async (_request, reply) =>
      reply
        .type('image/svg+xml')
        .send('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' as never),
    );
    app.get('/go', async (_request, reply) => reply.redirect('https://other.example/x') as never);
  });
  await send();
  await answer.locator('img').waitFor();
  const width =
    "document.querySelector('.answer img').decode().then(() => document.querySelector('.answer img').naturalWidth)";
  expect(await page.evaluate<number>(width)).toBe(9);
  await page.evaluate("location.hash = '#/route/1'");
  await page.locator('.try-url', { hasText: '/go' }).waitFor();
  await send();
  await answer.locator('code', { hasText: 'https://other.example/x' }).waitFor();
  expect(await answer.getByRole('link', { name: 'Open it' }).count()).toBe(0);
});
