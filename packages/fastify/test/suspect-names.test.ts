// Names that look misspelt, in places where any name may stand: refused on `ambit`, warned of on the facade, as Fastify takes any.
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../src/index.ts';
import { flavors } from './support/flavors.ts';
import { warningsOf } from './support/warnings.ts';

const facade = fastify as unknown as typeof ambit;
type App = ReturnType<typeof ambit>;

/** Each makes an application with one misspelt name in it; the text says which, where, and what was meant. */
const slips: [what: string, boot: (make: typeof ambit) => App, text: string][] = [
  ...[
    ['bdy', 'body'],
    ['boyd', 'body'],
    ['Body', 'body'],
    ['qurystring', 'querystring'],
    ['queryString', 'querystring'],
    ['qeury', 'query'],
    ['param', 'params'],
    ['parmas', 'params'],
    ['header', 'headers'],
    ['respnse', 'response'],
    ['responses', 'response'],
  ].map(([misspelt, meant]): (typeof slips)[number] => [
    `a schema with ${misspelt}`,
    (make) => make().post('/notes', { schema: { [misspelt!]: {} } as object }, () => 'ok'),
    `unknown option '${misspelt}' of the schema of POST /notes; did you mean '${meant}'?`,
  ]),
  ...[
    ['prefx', '/a', 'prefix'],
    ['perfix', '/a', 'prefix'],
    ['loglevel', 'warn', 'logLevel'],
    ['logSerialisers', {}, 'logSerializers'],
  ].map(([misspelt, value, meant]): (typeof slips)[number] => [
    `register with ${misspelt}`,
    (make) => make().register(async () => {}, { [misspelt as string]: value } as object) as unknown as App,
    `unknown option '${misspelt}' of register; did you mean '${meant}'?`,
  ]),
  ...[
    ['levl', 'level'],
    ['lveel', 'level'],
    ['steam', 'stream'],
    ['serialisers', 'serializers'],
    ['messagekey', 'messageKey'],
  ].map(([misspelt, meant]): (typeof slips)[number] => [
    `a logger with ${misspelt}`,
    (make) => make({ logger: { enabled: false, [misspelt!]: 'info' } as never }),
    `unknown option '${misspelt}' of logger; did you mean '${meant}'?`,
  ]),
  [
    'a parser with parsAs',
    (make) => {
      const app = make();
      app.addContentTypeParser('text/csv', { parsAs: 'string' } as object, (async () => '') as never);
      return app;
    },
    "unknown option 'parsAs' of addContentTypeParser; did you mean 'parseAs'?",
  ],
];

describe('a response schema that lists properties beside a keyword', () => {
  const response = { 200: { items: { type: 'array' }, total: { type: 'integer' } } };
  const text =
    "the schema of GET /: response 200 is not the short form, because it has the keyword 'items', and as a full schema it does not declare its other names";

  test('is rejected on ambit, because every property would be sent', async () => {
    const app = ambit().get('/', { schema: { response } }, () => ({}) as never);
    await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_OPTION_INVALID', message: text });
  });

  test('is a warning on the facade', async () => {
    const app = facade().get('/', { schema: { response } }, () => ({}) as never);
    const warnings = await warningsOf(() => app.ready());
    expect(warnings.map(({ message }) => message)).toEqual([text]);
  });
});

for (const [what, boot, text] of slips) {
  test(`${what} is rejected on ambit, with the name that was meant`, async () => {
    await expect((async () => boot(ambit).ready())()).rejects.toMatchObject({
      code: 'AMBIT_ERR_UNKNOWN_OPTION',
      message: text,
      where: { file: expect.stringContaining('suspect-names.test.ts') },
    });
  });

  test(`${what} is a warning on the facade, and nothing else`, async () => {
    const warnings = await warningsOf(() => boot(facade).ready());
    expect(warnings.map(({ message }) => message)).toEqual([text]);
    expect(warnings[0]).toMatchObject({ code: 'AMBWRN003' });
  });
}

describe.each(flavors)('%s takes without a word', (_flavor, make) => {
  const documented = {
    ...{ tags: ['a'], summary: 'a', description: 'a', operationId: 'a', security: [], deprecated: true },
    ...{ hide: true, externalDocs: { url: 'a' }, consumes: ['a'], produces: ['a'] },
    ...{ 'x-body': 1, 'X-Response': 1, 'x-query': 1 },
  };
  const free: [what: string, boot: () => App][] = [
    ['the documentation of a route', () => make().get('/', { schema: documented as object }, () => 'ok')],
    [
      'an unknown name that is near to nothing',
      () => make().get('/', { schema: { cookies: {}, rateLimit: 1 } as object }, () => 'ok'),
    ],
    [
      'a name beside the one that it looks like',
      () => make().get('/', { schema: { response: {}, responses: {} } as object }, () => 'ok'),
    ],
    [
      'a misspelt name that is undefined',
      () => make().get('/', { schema: { respnse: undefined } as object }, () => 'ok'),
    ],
    [
      'options of a plugin that look like ours and are of another type',
      () => make().register(async () => {}, { prefixes: [], logLevels: {}, suffix: '/a' } as object) as never,
    ],
    [
      'any option of a hoisted plugin, which has no context of its own',
      () =>
        make().register(
          Object.assign(async () => {}, { [Symbol.for('skip-override')]: true }),
          { prefx: '/a' } as object,
        ) as never,
    ],
    ['options of pino', () => make({ logger: { enabled: false, msgPrefix: 'a', customLevels: { a: 35 } } })],
    ['unknown options of the logger', () => make({ logger: { enabled: false, pretty: true } as never })],
  ];
  for (const [what, boot] of free) {
    test(what, async () => {
      expect(await warningsOf(() => boot().ready())).toEqual([]);
    });
  }
});
