/** `@ambit/inspector` and published plugins: the steps that the model has are those that a request runs. */
import { fileURLToPath } from 'node:url';
import { type Inspection, inspect, type StepModel } from '@ambit/inspector';
import accepts from '@fastify/accepts';
import auth from '@fastify/auth';
import basicAuth from '@fastify/basic-auth';
import bearerAuth from '@fastify/bearer-auth';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import formbody from '@fastify/formbody';
import helmet from '@fastify/helmet';
import jwt from '@fastify/jwt';
import multipart from '@fastify/multipart';
import rateLimit from '@fastify/rate-limit';
import replyFrom from '@fastify/reply-from';
import requestContext from '@fastify/request-context';
import sensible from '@fastify/sensible';
import staticFiles from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import underPressure from '@fastify/under-pressure';
import websocket from '@fastify/websocket';
import { type Context, type RunningStep, watchRequests } from 'ambit';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

/** A plugin, and the options that it needs. */
const plugins: readonly (readonly [name: string, plugin: unknown, options?: object])[] = [
  ['@fastify/accepts', accepts],
  ['@fastify/auth', auth],
  ['@fastify/basic-auth', basicAuth, { validate: async () => {} }],
  ['@fastify/bearer-auth', bearerAuth, { keys: ['key'] }],
  ['@fastify/compress', compress],
  ['@fastify/cookie', cookie],
  ['@fastify/cors', cors],
  ['@fastify/etag', etag],
  ['@fastify/formbody', formbody],
  ['@fastify/helmet', helmet],
  ['@fastify/jwt', jwt, { secret: 'secret' }],
  ['@fastify/multipart', multipart, { attachFieldsToBody: true }],
  ['@fastify/rate-limit', rateLimit],
  ['@fastify/reply-from', replyFrom],
  ['@fastify/request-context', requestContext],
  ['@fastify/sensible', sensible],
  ['@fastify/static', staticFiles, { root: fileURLToPath(new URL('.', import.meta.url)), prefix: '/files/' }],
  ['@fastify/swagger', swagger],
  ['@fastify/swagger-ui', swaggerUi],
  ['@fastify/under-pressure', underPressure],
  ['@fastify/websocket', websocket],
];

/** Plugins that need another one. */
const needs: Readonly<Record<string, readonly string[]>> = { '@fastify/swagger-ui': ['@fastify/swagger'] };

/** An application that registers plugins, and has one route. */
async function makeApp(create: () => FastifyInstance, names: readonly string[]): Promise<FastifyInstance> {
  const app = create();
  const wanted = [...names, ...names.flatMap((name) => needs[name] ?? [])];
  for (const [name, plugin, options] of plugins)
    if (wanted.includes(name)) await app.register(plugin as never, options as never);
  app.get('/probe', { exposeHeadRoute: false }, async function probe() {
    return { ok: true };
  });
  return app;
}

function stepsOf(model: Inspection): StepModel[] {
  const route = model.routes.find(({ url, methods }) => url === '/probe' && methods.includes('GET'))!;
  return model.stepLists[route.steps]!.map((id) => model.steps[id]!);
}

const shown = (steps: readonly Pick<StepModel, 'path' | 'index' | 'name'>[]) =>
  steps.map(({ path, index, name }) => `${path} ${index} ${name}`);

/** Writes down each hook that is called, by itself: the framework is not asked. */
function traceHooks(app: FastifyInstance): string[] {
  const called: string[] = [];
  const { addHook } = app as unknown as { addHook: (...args: unknown[]) => unknown };
  const traced = function (this: unknown, name: string, hook: (...args: unknown[]) => unknown): unknown {
    const wrapped = function (this: unknown, ...args: unknown[]): unknown {
      called.push(`${name} ${hook.name === name ? '' : hook.name}`);
      return hook.apply(this, args);
    };
    Object.defineProperties(wrapped, { name: { value: hook.name }, length: { value: hook.length } });
    return addHook.call(this, name, wrapped);
  };
  Object.defineProperty(app, 'addHook', { value: traced, configurable: true });
  return called;
}

const headers = { authorization: 'Bearer key' };
const sets = [...plugins.map(([name]) => [name]), plugins.map(([name]) => name).slice(0, 14)];

describe.each(flavors)('on $flavor', ({ create }) => {
  test.each(
    sets.map(
      (names) => [names.length === 1 ? names[0]! : `${names.length} plugins together`, names] as const,
    ),
  )('%s: the request runs the steps of the model, in that order', async (_title, names) => {
    let seen: RunningStep[] = [];
    const app = await makeApp(() => {
      const made = create();
      watchRequests(made as unknown as Context, { onStep: (_request, step) => void seen.push(step) });
      return made;
    }, names);
    const origin = await serve(app);
    seen = [];
    const response = await fetch(`${origin}/probe`, { headers });
    expect([response.status, await response.json()]).toEqual([200, { ok: true }]);
    const planned = stepsOf(await inspect(app as unknown as Context)).filter(
      ({ path }) => path === 'request' || path === 'reply',
    );
    expect(shown(seen.filter(({ path }) => path === 'request' || path === 'reply'))).toEqual(shown(planned));
  });

  test.each(plugins.map(([name]) => name))(
    '%s: the hooks that are called are those of the model, with the plugin as their origin',
    async (name) => {
      let called: string[] = [];
      const app = await makeApp(() => {
        const made = create();
        called = traceHooks(made);
        return made;
      }, [name]);
      const origin = await serve(app);
      called.length = 0;
      expect((await fetch(`${origin}/probe`, { headers })).status).toBe(200);
      const model = await inspect(app as unknown as Context);
      const planned = stepsOf(model).filter(
        ({ path, from }) => (path === 'request' || path === 'reply') && from === 'context',
      );
      const ofReply = called.filter((call) => !call.startsWith('onResponse'));
      expect(ofReply).toEqual(planned.map((step) => `${step.name} ${step.function ?? ''}`));
      for (const { plugin } of planned) expect(model.plugins[plugin!]!.name).not.toBe('');
    },
  );
});

test('there are at least twenty plugins', () => {
  expect(plugins.length).toBeGreaterThanOrEqual(20);
});
