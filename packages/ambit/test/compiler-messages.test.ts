// What the compiler says of a mistake: where it marks it, and what the first line says.
import { expect, test } from 'vitest';
import { compile } from './support/compile.ts';

interface Mistake {
  title: string;
  /** What the program says before. */
  given?: string;
  program: string;
  /** The text that is marked begins so. */
  at: string;
  /** What the first line says, in this order. */
  says: (string | RegExp)[];
}

const response = `{
  200: { type: 'object', properties: { total: { type: 'integer' }, name: { type: 'string' } }, required: ['total'] },
}`;
const withPlace = `{
  200: { type: 'object', properties: {
    place: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } }, required: ['x', 'y'] },
  }, required: ['place'] },
}`;
const repository = `
class Db { find(): string { return ''; } }
const repository = plugin<{ context: { db: Db }; request: { user: { name: string } } }>()(async (context) => {
  context.db.find();
});`;
const store = `
const store = hoist((context, options: { size: number }) => context.decorate('store', new Map([['size', options.size]])));`;

const mistakes: Mistake[] = [
  // ---- what a handler returns
  {
    title: 'a wrong property in what a block returns is named, with the status and both types',
    program: `app.get('/', { schema: { response: ${response} }, handler: () => { return { total: 'many' }; } });`,
    at: 'handler: ()',
    says: [
      'a result that fits the response schema',
      'WrongResult<200, { total: string; }, { total: number | bigint; }>',
    ],
  },
  {
    title: 'so is one in what an asynchronous block returns',
    program: `app.get('/', { schema: { response: ${response} }, handler: async () => { return { total: 'many' }; } });`,
    at: 'handler: async',
    says: [
      'a result that fits the response schema',
      'WrongPromise<200, { total: string; }, { total: number | bigint; }>',
    ],
  },
  {
    title: 'so is one of a handler that reads the request, in one of its results',
    program: `app.get('/', { schema: { response: ${response} } }, async (request) => {
  if (request.is404) return { total: 1 };
  return { total: request.url };
});`,
    at: 'async (request)',
    says: [
      'a result that fits the response schema',
      'WrongPromise<200, { total: string; }, { total: number | bigint; }>',
    ],
  },
  {
    title: 'so is one in a promise that an expression gives',
    program: `app.get('/', { schema: { response: ${response} }, handler: async () => ({ total: 'many' }) });`,
    at: 'handler: async',
    says: [
      'a result that fits the response schema',
      'WrongPromise<200, { total: string; }, { total: number | bigint; }>',
    ],
  },
  {
    title: 'so is one of a route that is given whole',
    program: `app.route({ method: 'GET', url: '/', schema: { response: ${response} }, handler() { return { total: 'many' }; } });`,
    at: 'handler()',
    says: [
      'a result that fits the response schema',
      'WrongResult<200, { total: string; }, { total: number | bigint; }>',
    ],
  },
  {
    title: 'so is one in an object within the result, and what fits is left out',
    program: `app.get('/', { schema: { response: ${withPlace} } }, async () => { return { place: { x: 1, y: 'far' } }; });`,
    at: 'async ()',
    says: [
      'a result that fits the response schema',
      'WrongPromise<200, { place: { y: string; }; }, { place: { y: number; }; }>',
    ],
  },
  {
    title: 'a property that is missing in what a block returns is named',
    program: `app.get('/', { schema: { response: ${response} } }, () => { return { name: 'x' }; });`,
    at: '() =>',
    says: ['a result that fits the response schema', 'WrongResult<200, {}, { total: number | bigint; }>'],
  },
  {
    title: 'a result where only a failure is declared names the status that is',
    program: `app.get('/', { schema: { response: { 404: { type: 'string' } } } }, () => { return 1; });`,
    at: '() =>',
    says: ['a result that fits the response schema', 'WrongResult<404, number, string>'],
  },
  {
    title: 'a wrong property in what an expression gives is marked itself',
    program: `app.get('/', { schema: { response: ${response} }, handler: () => ({ total: 'many' }) });`,
    at: "total: 'many'",
    says: ["Type 'string' is not assignable to type 'number | bigint'."],
  },
  {
    title: 'a property that is missing in what an expression gives is named',
    program: `app.get('/', { schema: { response: ${response} }, handler: () => ({ name: 'x' }) });`,
    at: '({ name',
    says: ["Property 'total' is missing in type '{ name: string; }'"],
  },
  {
    title: 'a wrong property that is sent is marked itself',
    program: `app.get('/', { schema: { response: ${response} } }, (_request, reply) => { return reply.send({ total: 'many' }); });`,
    at: "total: 'many'",
    says: ["Type 'string' is not assignable to type 'number | bigint'."],
  },
  {
    title: 'a status that is not declared is marked itself, beside those that are',
    program: `app.get('/', { schema: { response: ${response} } }, (_request, reply) => void reply.code(404));`,
    at: '404',
    says: ["Argument of type '404' is not assignable to parameter of type '200'."],
  },

  // ---- plugins
  {
    title: 'a plugin whose needs nobody meets names them all',
    given: repository,
    program: 'app.register(repository);',
    at: 'repository)',
    says: ['NeedsUnmet<{ context: { db: Db; }; request: { user: { name: string; }; }; }>'],
  },
  {
    title: 'needs that are met are left out',
    given: repository,
    program: "app.decorate('db', new Db()).register(repository);",
    at: 'repository)',
    says: ["'NeedsUnmet<{ request: { user: { name: string; }; }; }>'"],
  },
  {
    title: 'a need that something else has the name of shows both types',
    given: repository,
    program:
      "app.decorate('db', 1).decorateRequest('user', { getter: () => ({ name: 'ada' }) }).register(repository);",
    at: 'repository)',
    says: ["'NeedsUnmet<{ context: { db: [needed: Db, found: number]; }; }>'"],
  },
  {
    title: 'a function whose parameter says what it needs names what the context lacks',
    given: 'const needy = async (context: Context & { clock: () => number }) => void context.clock();',
    program: 'app.register(needy);',
    at: 'needy)',
    says: ["'NeedsUnmet<{ context: { clock: () => number; }; }>'"],
  },
  {
    title: 'a plugin that is given no options names those that it takes',
    given: store,
    program: 'app.register(store);',
    at: 'store)',
    says: ["'OptionsMissing<{ size: number; }>'"],
  },
  {
    title: 'a wrong option of a plugin is marked itself',
    given: store,
    program: "app.register(store, { size: '1' });",
    at: "size: '1'",
    says: ["Type 'string' is not assignable to type 'number'."],
  },
  {
    title: 'a wrong option of a published plugin is marked itself',
    given: "import bearerAuth from '@fastify/bearer-auth';",
    program: 'app.register(bearerAuth, { keys: [1] });',
    at: '1]',
    says: [/^Type 'number' is not assignable to type 'string( \| RegExp)?'\.$/],
  },
  {
    title: 'what is no plugin is marked, and what a plugin is, is shown',
    program: 'app.register(1);',
    at: '1)',
    says: ["Argument of type 'number' is not assignable to parameter of type 'Plugin<"],
  },

  // ---- misspelt names
  ...[
    ['bdy', 'body'],
    ['qurystring', 'querystring'],
    ['respnse', 'response'],
    ['responses', 'response'],
    ['header', 'headers'],
    ['tag', 'tags'],
    ['sumary', 'summary'],
  ].map(([misspelt, meant]) => ({
    title: `\`${misspelt}\` in a schema is marked, and \`${meant}\` offered`,
    program: `app.post('/', { schema: { body: {}, ${misspelt}: {} }, handler: () => 1 });`,
    at: `${misspelt}: {}`,
    says: [`'${misspelt}' does not exist`, `Did you mean to write '${meant}'?`],
  })),
  {
    title: 'a misspelt part is marked where the handler stands beside the schema',
    program: "app.post('/', { schema: { bdy: {} } }, () => 1);",
    at: 'bdy: {}',
    says: ["'bdy' does not exist", "Did you mean to write 'body'?"],
  },
  {
    title: 'a misspelt part of a route that is given whole is marked',
    program: "app.route({ method: 'POST', url: '/', schema: { bdy: {} }, handler: () => 1 });",
    at: 'bdy: {}',
    says: ["'bdy' does not exist", "Did you mean to write 'body'?"],
  },
  {
    title: 'a misspelt part of a schema in a variable is named',
    given: "const schema = { body: { type: 'object' }, respnse: { 200: { type: 'string' } } } as const;",
    program: "app.post('/', { schema, handler: () => 'x' });",
    at: 'schema,',
    says: ['UnknownParts<"respnse">'],
  },
  {
    title: 'a documentation key of the wrong type is marked',
    program: "app.get('/', { schema: { tags: 'notes' }, handler: () => 1 });",
    at: "tags: 'notes'",
    says: ["Type 'string' is not assignable to type 'readonly string[]'."],
  },
  {
    title: 'a misspelt option of a route is marked',
    program: "app.post('/', { schema: { body: {} }, bodyLimt: 1, handler: () => 1 });",
    at: 'bodyLimt',
    says: ["'bodyLimt' does not exist", "Did you mean to write 'bodyLimit'?"],
  },
  {
    title: 'a misspelt option of the logger is marked',
    program: "ambit({ logger: { levl: 'info' } });",
    at: 'levl',
    says: ["'levl' does not exist", "Did you mean to write 'level'?"],
  },
  {
    title: 'a misspelt option of the application is marked',
    program: 'ambit({ bodyLimt: 1 });',
    at: 'bodyLimt',
    says: ["'bodyLimt' does not exist", "Did you mean to write 'bodyLimit'?"],
  },
  {
    title: 'a misspelt option of `register` is marked where the plugin takes none',
    program: "app.register(async (child) => void child.prefix, { prefx: '/v1' });",
    at: 'prefx',
    says: ["'prefx' does not exist", "Did you mean to write 'prefix'?"],
  },
  {
    title: 'so is one where the plugin says which it takes',
    given: store,
    program: "app.register(store, { size: 1, logLevl: 'warn' });",
    at: 'logLevl',
    says: ["'logLevl' does not exist", "Did you mean to write 'logLevel'?"],
  },
  {
    title: 'so is one where the plugin is written in the call and takes any',
    program: "app.register(async (child, options) => void [child.prefix, options], { perfix: '/v1' });",
    at: 'perfix',
    says: ["Type 'string' is not assignable to type", 'DidYouMean<"prefix">'],
  },
  {
    title: 'so is one where the plugin is a variable and takes any',
    given: repository,
    program: `app.decorate('db', new Db()).decorateRequest('user', { getter: () => ({ name: 'ada' }) })
  .register(repository, { Prefix: '/v1' });`,
    at: 'Prefix',
    says: ["Type 'string' is not assignable to type", 'DidYouMean<"prefix">'],
  },
];

const head = "import { ambit, type Context, hoist, plugin } from 'ambit';\nconst app = ambit();\n";
const diagnostics = compile(
  mistakes.map(({ given = '', program }) => `${head}${given}\n${program}\nexport {};\n`),
);

for (const [i, { title, at, says }] of mistakes.entries()) {
  test(title, () => {
    expect(diagnostics[i]).toHaveLength(1);
    const { at: marked, lines } = diagnostics[i]![0]!;
    expect(marked.slice(0, at.length)).toBe(at);
    for (const part of says) expect(lines[0]).toMatch(part);
    expect(lines.length).toBeLessThan(3);
  });
}
