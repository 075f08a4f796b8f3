// A schema that requires what it does not declare: boot warns, by route, part, place and name.
import type { AmbitOptions, RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';
import { warningsOf } from './support/warnings.ts';

const text = { type: 'string' };
const named = { type: 'object', properties: { name: text }, required: ['nmae'] };
const closed = { ...named, additionalProperties: false };
const fails = 'which additionalProperties forbids: every request fails';
const isRemoved = 'which it does not declare: it is removed before the handler runs';
const isLeftOut =
  'which it does not declare: a reply without this property fails, and a reply with it is sent without it';
const quiet = { logger: false, strict: false };

const mistakes: [what: string, schema: RouteSchema, said: string, customOptions?: object][] = [
  [
    'a response',
    { response: { 201: named } },
    `the response 201 schema of POST /notes/:id/:idd?, at #, requires 'nmae', ${isLeftOut}. Did you mean 'name'?`,
  ],
  [
    'a response of one media type',
    {
      response: { '2xx': { content: { 'application/json': { schema: { ...named, required: ['other'] } } } } },
    },
    `the response 2xx (application/json) schema of POST /notes/:id/:idd?, at #, requires 'other', ${isLeftOut}`,
  ],
  [
    'an item of a response',
    { response: { 200: { type: 'object', properties: { list: { type: 'array', items: named } } } } },
    `the response 200 schema of POST /notes/:id/:idd?, at #/properties/list/items, requires 'nmae', ${isLeftOut}. Did you mean 'name'?`,
  ],
  [
    'a shared schema that a response refers to',
    { response: { 200: { $ref: 'note#' } } },
    `the response 200 schema of POST /notes/:id/:idd?, at note#/definitions/inner, requires 'titel', ${isLeftOut}. Did you mean 'title'?`,
  ],
  [
    'a branch of a response',
    { response: { 200: { anyOf: [{ type: 'null' }, named] } } },
    `the response 200 schema of POST /notes/:id/:idd?, at #/anyOf/1, requires 'nmae', ${isLeftOut}. Did you mean 'name'?`,
  ],
  [
    'a body that declares almost that name',
    { body: named },
    "the body schema of POST /notes/:id/:idd?, at #, requires 'nmae', which it does not declare. Did you mean 'name'?",
  ],
  [
    'a body that removes what it does not declare',
    { body: { ...closed, required: ['other'] } },
    `the body schema of POST /notes/:id/:idd?, at #, requires 'other', ${isRemoved}`,
  ],
  [
    'a body of one media type',
    { body: { content: { 'application/json': { schema: closed } } } },
    `the body (application/json) schema of POST /notes/:id/:idd?, at #, requires 'nmae', ${isRemoved}. Did you mean 'name'?`,
  ],
  [
    'a body under an engine that refuses what is not declared',
    { body: { ...closed, required: ['other'] } },
    `the body schema of POST /notes/:id/:idd?, at #, requires 'other', ${fails}`,
    { removeAdditional: false },
  ],
  [
    'a body under an engine that removes all that is not declared',
    { body: { ...named, required: ['other'] } },
    `the body schema of POST /notes/:id/:idd?, at #, requires 'other', ${isRemoved}`,
    { removeAdditional: 'all' },
  ],
  [
    'a body one of whose branches removes what the whole requires',
    { body: { allOf: [{ ...closed, required: [] }], properties: { other: text }, required: ['other'] } },
    `the body schema of POST /notes/:id/:idd?, at #, requires 'other', ${fails}`,
  ],
  [
    'a body that removes in the end what one of its branches requires',
    { body: { ...closed, required: [], allOf: [{ properties: { other: text }, required: ['other'] }] } },
    `the body schema of POST /notes/:id/:idd?, at #/allOf/0, requires 'other', ${isRemoved}`,
  ],
  [
    'a query string in short form',
    { query: { filter: named } },
    "the querystring schema of POST /notes/:id/:idd?, at #/properties/filter, requires 'nmae', which it does not declare. Did you mean 'name'?",
  ],
  [
    'params',
    { params: { type: 'object', properties: { id: text }, required: ['idd'] } },
    "the params schema of POST /notes/:id/:idd?, at #, requires 'idd', which it does not declare. Did you mean 'id'?",
  ],
];

const note = {
  $id: 'note',
  type: 'object',
  properties: { inner: { $ref: '#/definitions/inner' }, next: { $ref: 'note#' } },
  definitions: { inner: { type: 'object', properties: { title: text }, required: ['titel'] } },
};

describe.each(flavors)('%s', (_flavor, make) => {
  const boot = (schema: RouteSchema, options: AmbitOptions = {}) =>
    warningsOf(async () => {
      const app = make({ ajv: { customOptions: quiet }, ...options });
      app.addSchema(note).addSchema({ $id: 'author', type: 'object', properties: { author: text } });
      app.post('/notes/:id/:idd?', { schema }, () => 'ok');
      await app.ready();
    });

  for (const [what, schema, said, customOptions] of mistakes) {
    test(`${what}: the warning names the required properties, their path, and what happens to them`, async () => {
      const warnings = await boot(schema, { ajv: { customOptions: { ...quiet, ...customOptions } } });
      expect(warnings.map(({ message }) => message)).toEqual([said]);
      expect(warnings[0]).toMatchObject({ name: 'AmbitWarning', code: 'AMBWRN004' });
    });
  }

  const sound: [what: string, schema: RouteSchema][] = [
    [
      'what is declared',
      { body: { ...closed, required: ['name'] }, response: { 200: { ...named, required: ['name'] } } },
    ],
    ['what a client may send besides', { body: { ...named, required: ['other'] } }],
    ['a body without declarations', { body: { type: 'object', required: ['a'] } }],
    [
      'what a pattern declares',
      {
        body: { ...closed, patternProperties: { '^n': text } },
        response: { 200: { ...named, patternProperties: { '^n': text } } },
      },
    ],
    ['what additionalProperties declares', { response: { 200: { ...named, additionalProperties: text } } }],
    ['open objects', { response: { 200: { ...named, additionalProperties: true } } }],
    ['what a branch declares', { response: { 200: { ...named, allOf: [{ properties: { nmae: text } }] } } }],
    [
      'what a shared schema declares',
      {
        response: {
          200: { allOf: [{ $ref: 'author#' }, { properties: { a: text } }], required: ['author'] },
        },
      },
    ],
    [
      'branches of what is declared around them',
      {
        body: {
          ...closed,
          properties: { a: text, b: text },
          required: [],
          anyOf: [{ required: ['a'] }, { required: ['b'] }],
        },
      },
    ],
    [
      'conditions',
      { body: { ...named, required: [], if: { required: ['nmae'] }, else: { required: ['x'] } } },
    ],
    [
      'schemas that refer to themselves',
      {
        body: { $ref: 'author#' },
        response: { 200: { type: 'object', properties: { next: { $ref: '#' } } } },
      },
    ],
    ['schemas of other kinds', { body: true, response: { 200: true, 404: { type: 'string' } } }],
  ];
  for (const [what, schema] of sound) {
    test(`${what} is not a mistake`, async () => {
      expect(await boot(schema)).toEqual([]);
    });
  }

  test('a GET route causes one warning, not another one for HEAD', async () => {
    const warnings = await warningsOf(async () => {
      const app = make();
      app.get('/', { schema: { response: { 200: named } } }, () => ({}));
      await app.ready();
    });
    expect(warnings).toHaveLength(1);
  });

  test('a mistake in a schema that many routes use causes one warning', async () => {
    const warnings = await warningsOf(async () => {
      const app = make({ ajv: { customOptions: quiet } }).addSchema(note);
      app.register(async (child) => {
        child.addSchema({ $id: 'other', type: 'object' });
        for (const path of ['/c', '/d'])
          child.post(path, { schema: { response: { 200: named } } }, () => ({}));
        child.post('/e', { schema: { response: { 200: { $ref: 'note#' } } } }, () => ({}));
      });
      for (const path of ['/a', '/b']) {
        const merged = { allOf: [{ $ref: 'note#' }, { properties: { path: { const: path } } }] };
        app.post(path, { schema: { response: { 200: { $ref: 'note#' }, 201: merged } } }, () => ({}));
      }
      await app.ready();
    });
    expect(warnings.map(({ message }) => /at (\S+),/.exec(message)?.[1])).toEqual([
      'note#/definitions/inner',
      '#',
    ]);
  });

  test('a shared schema that was searched as a part of another one is searched as a whole, too', async () => {
    const warnings = await warningsOf(async () => {
      const app = make({ ajv: { customOptions: quiet } });
      app.addSchema({ $id: 'base', type: 'object', properties: { name: text }, required: ['kind'] });
      const whole = { allOf: [{ $ref: 'base#' }, { type: 'object', properties: { kind: text } }] };
      app.post('/a', { schema: { response: { 200: whole } } }, () => ({}));
      app.post('/b', { schema: { response: { 200: { $ref: 'base#' } } } }, () => ({}));
      await app.ready();
    });
    expect(warnings.map(({ message }) => message)).toEqual([
      `the response 200 schema of POST /b, at base#, requires 'kind', ${isLeftOut}`,
    ]);
  });

  test('a schema of another library is not checked', async () => {
    const warnings = await warningsOf(async () => {
      const app = make();
      app.setValidatorCompiler(() => () => true);
      app.setSerializerCompiler(() => JSON.stringify);
      app.post('/', { schema: { body: closed, response: { 200: named } } }, () => ({}));
      await app.ready();
    });
    expect(warnings).toEqual([]);
  });
});
