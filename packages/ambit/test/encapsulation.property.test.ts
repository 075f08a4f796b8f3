/** Whatever plugins do in whatever order: a route sees what its context and the contexts above it define, and nothing else. */
import type { Context } from 'ambit';
import { expect, test } from 'vitest';
import {
  anyTree,
  type Definition,
  Model,
  maxSteps,
  type Scope,
  type Step,
  toPlugin,
} from './support/context-tree.ts';
import { flavors } from './support/flavors.ts';
import { fuzz, fuzzTimeoutMs } from './support/fuzz.ts';

const ids = Array.from({ length: maxSteps }, (_, id) => id);

interface TracedRequest {
  trail: string[];
  readonly [decorator: `d${number}`]: unknown;
}

/** Makes each definition under a name of its own. */
const makers: Readonly<Record<Definition, (context: Context, id: number) => void>> = {
  decorator: (context, id) => context.decorateRequest(`d${id}`, id),
  parser: (context, id) =>
    context.addContentTypeParser(`text/x-${id}`, { parseAs: 'string' }, async () => `parser ${id}`),
  schema: (context, id) => context.addSchema({ $id: `s${id}`, type: 'string' }),
  errorHandler: (context, id) =>
    context.setErrorHandler((error, _request, reply) =>
      reply.code(error.statusCode ?? 500).send(`error handler ${id}`),
    ),
  notFoundHandler: (context, id) =>
    context.setNotFoundHandler((request, reply) => reply.send({ id, trail: traced(request).trail })),
  route: (context, id) =>
    context.post(`/r${id}`, (request) => {
      if (request.headers['x-fail'] !== undefined) throw new Error('failed');
      return {
        decorators: ids.filter((id) => traced(request)[`d${id}`] === id),
        trail: traced(request).trail,
        schemas: Object.keys(request.server.getSchemas()).sort(),
        body: request.body,
      };
    }),
  onRequest: (context, id) =>
    context.addHook('onRequest', async (request) => void traced(request).trail.push(`onRequest ${id}`)),
  preParsing: (context, id) =>
    context.addHook('preParsing', async (request) => void traced(request).trail.push(`preParsing ${id}`)),
  preValidation: (context, id) =>
    context.addHook('preValidation', (request, _reply, done) => {
      traced(request).trail.push(`preValidation ${id}`);
      done();
    }),
  preHandler: (context, id) =>
    context.addHook('preHandler', (request, _reply, done) => {
      traced(request).trail.push(`preHandler ${id}`);
      setImmediate(done);
    }),
};

const traced = (request: object): TracedRequest => request as TracedRequest;

test.each(flavors)(
  '%s: routes of random trees of plugins see what the model says',
  async (_name, make) => {
    const check = async (steps: readonly Step[]): Promise<void> => {
      const model = new Model(steps);
      const { root } = model;
      const app = make();
      try {
        await load(app, steps, root);
        for (const scope of root.all) await expectScope(app, scope, model);
      } finally {
        await app.close();
      }
    };
    await fuzz('registrations', {
      inputs: anyTree,
      check: async (trees) => {
        for (const steps of trees) await check(steps);
      },
      listLength: 1,
      runs: 100,
      share: 1 / flavors.length,
    });
  },
  fuzzTimeoutMs,
);

async function load(app: Context, steps: readonly Step[], root: Scope): Promise<void> {
  const taken = new Set(root.all.flatMap(({ own }) => own.map(({ id }) => id)));
  app.decorateRequest('trail');
  app.addHook('onRequest', async (request) => {
    traced(request).trail = [];
  });
  const define = (context: Context, what: Definition, id: number): void => {
    if (taken.has(id)) makers[what](context, id);
  };
  void toPlugin(steps, 'sync', define)(app, {}, () => {});
  await app.ready();
}

async function expectScope(app: Context, scope: Scope, model: Model): Promise<void> {
  for (const id of scope.ids('route')) await expectRoute(app, scope, model, id);
  if (scope.ownsPrefix) await expectNotFound(app, scope);
}

async function expectNotFound(app: Context, scope: Scope): Promise<void> {
  const owner = scope.chain.findLast((outer) => outer.ids('notFoundHandler').length > 0);
  const reply = await app.inject(`${scope.prefix}/missing`);
  if (owner === undefined) expect(reply.statusCode).toBe(404);
  else expect(reply.json()).toEqual({ id: owner.ids('notFoundHandler')[0], trail: owner.trail });
}

async function expectRoute(app: Context, scope: Scope, model: Model, id: number): Promise<void> {
  const url = `${scope.prefix}/r${id}`;
  const reply = await app.inject({ method: 'POST', url });
  expect(reply.json()).toEqual({
    decorators: scope.visible('decorator').sort((one, other) => one - other),
    trail: scope.trail,
    schemas: scope
      .visible('schema')
      .map((id) => `s${id}`)
      .sort(),
  });
  const failure = await app.inject({ method: 'POST', url, headers: { 'x-fail': '' } });
  const handler = model.errorHandlers.get(id);
  expect(failure.body).toContain(handler === undefined ? '"message":"failed"' : `error handler ${handler}`);
  for (const parser of model.root.all.flatMap((other) => other.ids('parser'))) {
    const request = {
      method: 'POST',
      url,
      headers: { 'content-type': `text/x-${parser}` },
      payload: 'x',
    } as const;
    const { statusCode, body } = await app.inject(request);
    if (scope.visible('parser').includes(parser)) expect(JSON.parse(body).body).toBe(`parser ${parser}`);
    else expect(statusCode).toBe(415);
  }
}
