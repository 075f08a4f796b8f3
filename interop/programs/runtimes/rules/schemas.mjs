// Chapters 4 and 5 of docs/specification.md: shared schemas, references and validation.
import { bootErrorOf, schemaErrorOf } from './boot-error.mjs';
import { invalid, json, post } from './requests.mjs';

const integer = { type: 'object', properties: { n: { type: 'integer' } } };

/** A schema with each form of reference that can be resolved inside of it. */
const referring = {
  $id: 'referring',
  type: 'object',
  definitions: { short: { $id: '#short', type: 'string', maxLength: 2 } },
  properties: { byId: { $ref: '#short' }, byPath: { $ref: '#/definitions/short' } },
};

/** Each answer of a validator, by the query that asks for it. */
const answers = {
  true: () => true,
  false: () => false,
  value: () => ({ value: 'replaced' }),
  error: () => ({ error: new Error('refused') }),
  later: async () => ({ value: 'replaced later' }),
  'refused later': async () => ({ error: new Error('refused later') }),
  throws: () => {
    throw new Error('broken');
  },
};

export const schemas = [
  {
    rule: '4.1',
    setUp(app) {
      app.addSchema({ $id: 'shared', type: 'object', properties: { n: { type: 'integer' } } });
      app.register(async (child) => {
        child.post('/shared', { schema: { body: { $ref: 'shared#' } } }, ({ body }) => body);
        child.get('/read', () => child.getSchema('shared'));
      });
    },
    requests: [
      ['/shared', post({ n: '7' }), { body: { n: 7 } }],
      ['/shared', post({ n: 'x' }), { status: 400 }],
      ['/read', {}, { body: { $id: 'shared', type: 'object', properties: { n: { type: 'integer' } } } }],
    ],
  },
  {
    rule: '4.2',
    setUp(app) {
      const own = (context) => Object.keys(context.getSchemas()).filter((id) => id.startsWith('visible'));
      app.addSchema({ $id: 'visibleAbove' });
      app.register(async (child) => {
        child.addSchema({ $id: 'visibleBelow' });
        child.get('/below', () => own(child));
      });
      app.get('/above', () => own(app));
    },
    requests: [
      ['/above', {}, { body: ['visibleAbove'] }],
      ['/below', {}, { body: ['visibleAbove', 'visibleBelow'] }],
    ],
  },
  {
    rule: '4.3',
    setUp: (app, factory) =>
      app.get('/twice', () => bootErrorOf(() => factory().addSchema({ $id: 'a' }).addSchema({ $id: 'a' }))),
    requests: [['/twice', {}, { body: { code: 'FST_ERR_SCH_ALREADY_PRESENT' } }]],
  },
  {
    rule: '4.4',
    setUp(app) {
      app.addSchema({ $id: 'limit', maximum: 3 });
      app.setValidatorCompiler(({ schema }) => {
        const { maximum } = app.getSchemas()[schema.$ref];
        return (data) => (data.n > maximum ? { error: new Error(`more than ${maximum}`) } : { value: data });
      });
      app.get('/limited', { schema: { query: { $ref: 'limit' } } }, ({ query }) => query);
    },
    requests: [
      ['/limited?n=3', {}, { body: { n: '3' } }],
      ['/limited?n=4', {}, invalid('more than 3')],
    ],
  },
  {
    rule: '4.5',
    setUp(app) {
      app.addSchema(referring);
      const properties = {
        whole: { $ref: 'referring#' },
        byPath: { $ref: 'referring#/definitions/short' },
        byFragment: { $ref: 'referring#short' },
        byProperty: { type: 'array', items: { $ref: 'referring#/properties/byId' } },
      };
      const schema = { type: 'object', properties };
      app.post('/refer', { schema: { body: schema, response: { 200: schema } } }, ({ body }) => ({
        ...body,
        more: 1,
      }));
    },
    requests: [
      [
        '/refer',
        post({ whole: { byId: 'ab', byPath: 'cd' }, byPath: 'ef', byFragment: 'gh', byProperty: ['ij'] }),
        { body: { whole: { byId: 'ab', byPath: 'cd' }, byPath: 'ef', byFragment: 'gh', byProperty: ['ij'] } },
      ],
      ['/refer', post({ whole: { byId: 'abc' } }), { status: 400 }],
      ['/refer', post({ whole: { byPath: 'abc' } }), { status: 400 }],
      ['/refer', post({ byPath: 'abc' }), { status: 400 }],
      ['/refer', post({ byFragment: 'abc' }), { status: 400 }],
      ['/refer', post({ byProperty: ['abc'] }), { status: 400 }],
    ],
  },
  {
    rule: '4.6',
    setUp(app) {
      app.addSchema({ $id: 'root', type: 'object', required: ['n'], properties: { n: { type: 'integer' } } });
      const root = { $ref: 'root#' };
      app.get('/root', { schema: { query: root, response: { 200: root } } }, ({ query }) => ({
        ...query,
        more: 1,
      }));
    },
    requests: [
      ['/root?n=1', {}, { body: { n: 1 } }],
      ['/root', {}, { status: 400 }],
    ],
  },
  {
    rule: '4.7',
    notOn: ['workerd'],
    setUp: (app, factory) =>
      app.get('/nowhere', () =>
        schemaErrorOf(factory().get('/notes', { schema: { query: { $ref: 'nowhere#' } } }, () => 'never')),
      ),
    requests: [
      [
        '/nowhere',
        {},
        { body: { code: 'FST_ERR_SCH_VALIDATION_BUILD', route: 'GET /notes', part: 'querystring' } },
      ],
    ],
  },
  {
    rule: '4.8',
    setUp(app) {
      const schema = { type: 'object', properties: { n: { type: 'integer', maximum: 1 } } };
      app.get('/changed', { schema: { query: schema } }, () => {
        schema.properties.n.maximum = 100;
        return 'changed';
      });
    },
    requests: [
      ['/changed?n=1', {}, { body: 'changed' }],
      ['/changed?n=2', {}, { status: 400 }],
    ],
  },
  {
    rule: '5.1',
    setUp(app) {
      const refuses = { type: 'object', required: ['missing'] };
      app.post(
        '/:id',
        { schema: { params: integer, body: refuses, query: refuses, headers: refuses } },
        () => 'never',
      );
      app.post('/refused/:n', { schema: { params: integer, body: refuses } }, () => 'never');
    },
    requests: [
      ['/1', post({}), invalid("body should have required property 'missing'")],
      ['/refused/x', post({}), invalid('params/n should be integer')],
    ],
  },
  {
    rule: '5.2',
    setUp(app) {
      app.setErrorHandler(({ statusCode, validation, validationContext }, _request, reply) =>
        reply
          .code(statusCode)
          .send({ keywords: validation.map(({ keyword }) => keyword), validationContext }),
      );
      const of = (part) => ({ schema: { [part]: { type: 'object', required: ['missing'] } } });
      app.get('/params/:n', { schema: { params: integer } }, () => 'never');
      for (const part of ['querystring', 'headers']) app.get(`/${part}/:id`, of(part), () => 'never');
      app.post('/body/:id', of('body'), () => 'never');
    },
    requests: [
      ['/params/x', {}, { status: 400, body: { keywords: ['type'], validationContext: 'params' } }],
      ['/querystring/1', {}, { status: 400, body: { keywords: ['required'], validationContext: 'query' } }],
      ['/headers/1', {}, { status: 400, body: { keywords: ['required'], validationContext: 'headers' } }],
      ['/body/1', post({}), { status: 400, body: { keywords: ['required'], validationContext: 'body' } }],
    ],
  },
  {
    rule: '5.3',
    setUp: (app) => app.get('/message', { schema: { query: integer } }, () => 'never'),
    requests: [['/message?n=x', {}, invalid('querystring/n should be integer')]],
  },
  {
    rule: '5.4',
    setUp(app) {
      const formatted = (formatter) => ({ schemaErrorFormatter: formatter, schema: { query: integer } });
      const build = (errors, part) => new Error(`${errors.length} in ${part}`);
      app.get('/error', formatted(build), () => 'never');
      app.get(
        '/text',
        formatted(() => 'no error'),
        () => 'never',
      );
    },
    requests: [
      ['/error?n=x', {}, invalid('1 in querystring')],
      ['/text?n=x', {}, { status: 500 }],
    ],
  },
  {
    rule: '5.5',
    setUp: (app) =>
      app.get('/attached', { attachValidation: true, schema: { query: integer } }, ({ validationError }) => ({
        failed: validationError?.validationContext ?? 'none',
      })),
    requests: [
      ['/attached?n=x', {}, { body: { failed: 'query' } }],
      ['/attached?n=1', {}, { body: { failed: 'none' } }],
    ],
  },
  {
    rule: '5.6',
    setUp(app) {
      const body = {
        type: 'object',
        additionalProperties: false,
        properties: {
          list: { type: 'array', items: { type: 'integer' } },
          flag: { type: 'boolean', default: true },
          text: { type: ['string', 'null'] },
          number: { type: 'number' },
        },
      };
      app.post('/coerced', { schema: { body } }, ({ body }) => body);
      const query = { ids: { type: 'array', items: { type: 'string' }, default: [] } };
      app.get('/ids', { schema: { query } }, ({ query }) => query);
    },
    requests: [
      ['/coerced', post({ list: '1', more: 1 }), { body: { list: [1], flag: true } }],
      [
        '/coerced',
        post({ list: ['1', 2], flag: 'false', text: null, number: '-1.5e2' }),
        { body: { list: [1, 2], flag: false, text: null, number: -150 } },
      ],
      ['/coerced', post({ flag: 'yes' }), { status: 400 }],
      ['/ids', {}, { body: { ids: [] } }],
      ['/ids?ids=a', {}, { body: { ids: ['a'] } }],
      ['/ids?ids=a&ids=b', {}, { body: { ids: ['a', 'b'] } }],
    ],
  },
  {
    rule: '5.7',
    setUp(app) {
      const given = [];
      app.setValidatorCompiler((part) => {
        given.push(part);
        return () => true;
      });
      app.post('/given/:id', { schema: { params: { of: 'params' }, body: { of: 'body' } } }, () =>
        given.map(({ schema, method, url, httpPart }) => ({ schema, method, url, httpPart })),
      );
    },
    requests: [
      [
        '/given/1',
        post({}),
        {
          body: ['params', 'body'].map((httpPart) => ({
            schema: { of: httpPart },
            method: 'POST',
            url: '/rules/5.7/given/:id',
            httpPart,
          })),
        },
      ],
    ],
  },
  {
    rule: '5.8',
    setUp(app) {
      app.setValidatorCompiler(() => (data) => answers[data.is]());
      app.get('/answers', { schema: { query: integer } }, ({ query }) => ({ query }));
    },
    requests: [
      ['/answers?is=true', {}, { body: { query: { is: 'true' } } }],
      ['/answers?is=false', {}, { status: 400 }],
      ['/answers?is=value', {}, { body: { query: 'replaced' } }],
      ['/answers?is=error', {}, invalid('refused')],
      ['/answers?is=later', {}, { body: { query: 'replaced later' } }],
      ['/answers?is=refused+later', {}, invalid('refused later')],
    ],
  },
  {
    rule: '5.9',
    setUp: (app) =>
      app.post(
        '/null',
        { schema: { body: true }, validatorCompiler: () => () => ({ value: null }) },
        ({ body }) => ({
          body,
        }),
      ),
    requests: [['/null', post({ n: 1 }), { body: { body: null } }]],
  },
  {
    rule: '5.10',
    setUp: (app) =>
      app.get(
        '/throws',
        { schema: { query: integer }, validatorCompiler: () => answers.throws },
        () => 'never',
      ),
    requests: [
      [
        '/throws',
        {},
        { status: 500, body: { statusCode: 500, error: 'Internal Server Error', message: 'broken' } },
      ],
      ['/throws', {}, { status: 500 }],
    ],
  },
  {
    rule: '5.11',
    setUp(app) {
      app.setValidatorCompiler(() => answers.error);
      app.get('/context', { schema: { query: integer } }, () => 'never');
      app.get(
        '/route',
        { schema: { query: integer }, validatorCompiler: () => answers.true },
        () => 'passed',
      );
    },
    requests: [
      ['/context', {}, { status: 400 }],
      ['/route', {}, { body: 'passed' }],
    ],
  },
  {
    rule: '5.12',
    notOn: ['workerd'],
    setUp(app, factory) {
      const even = { keyword: 'even', validate: (_even, value) => value % 2 === 0 };
      const extended = factory({ ajv: { plugins: [(ajv) => ajv.addKeyword(even)] } });
      extended.get('/', { schema: { query: { n: { type: 'integer', even: true } } } }, ({ query }) => query);
      app.get('/keyword', async ({ query }) => {
        const response = await extended.fetch(new Request(`http://localhost/?n=${query.n}`));
        return { status: response.status };
      });
    },
    requests: [
      ['/keyword?n=2', {}, { body: { status: 200 } }],
      ['/keyword?n=3', {}, { body: { status: 400 } }],
    ],
  },
  {
    rule: '5.13',
    setUp(app) {
      app.addHook('preValidation', async (request) => {
        request.body = { n: '1' };
      });
      app.addHook('preHandler', async ({ body }, reply) => void reply.header('x-own', typeof body.n));
      app.post('/order', { schema: { body: integer } }, ({ body }) => body);
    },
    requests: [['/order', post({ n: 'x' }), { body: { n: 1 }, headers: { 'x-own': 'number' } }]],
  },
  {
    rule: '5.14',
    setUp(app) {
      app.addHook('preHandler', async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        request.who = 'checked';
      });
      app.get('/checked', ({ who }) => ({ who }));
    },
    requests: [['/checked', {}, { body: { who: 'checked' } }]],
  },
  {
    rule: '5.15',
    setUp(app) {
      const either = { anyOf: [{ type: 'null' }, { type: 'number' }] };
      const schema = { type: 'object', properties: { either } };
      app.post('/valid', { schema: { body: schema } }, ({ body }) => body);
    },
    requests: [
      ['/valid', post({ either: 0 }), { body: { either: 0 } }],
      ['/valid', post({ either: null }), { body: { either: null } }],
    ],
  },
  {
    rule: '5.16',
    setUp: (app) => app.get('/overflow', { schema: { query: integer } }, () => 'never'),
    requests: [['/overflow?n=1e999', {}, invalid('querystring/n should be integer')]],
  },
  {
    rule: '5.17',
    setUp: (app) =>
      app.post('/inherited', { schema: { body: { type: 'object', required: ['valueOf'] } } }, () => 'never'),
    requests: [['/inherited', post({}), invalid("body should have required property 'valueOf'")]],
  },
  {
    rule: '9.2',
    setUp(app) {
      const body = {
        $schema: 'http://json-schema.org/draft-07/schema#',
        type: 'object',
        properties: { kind: { const: 'a' }, tags: { type: 'array', contains: { const: 1 } } },
        if: { required: ['tags'] },
        // biome-ignore lint/suspicious/noThenProperty: A keyword of JSON Schema.
        then: { required: ['kind'] },
        propertyNames: { maxLength: 4 },
      };
      app.post('/draft-7', { schema: { body } }, () => 'valid');
    },
    requests: [
      ['/draft-7', post({ kind: 'a', tags: [1] }), { body: 'valid' }],
      ['/draft-7', post({ tags: [1] }, json), { status: 400 }],
      ['/draft-7', post({ kind: 'a', tags: [2] }), { status: 400 }],
      ['/draft-7', post({ kind: 'b' }), { status: 400 }],
      ['/draft-7', post({ longer: 1 }), { status: 400 }],
    ],
  },
];
