/** The lifecycle of a request: the order in which its steps run, and the steps of a plan. */
import type { Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';
import { serve } from '../../test/support/serve.ts';
import { type AppSteps, compileSteps, makeAppStep, type RouteNeeds } from './lifecycle.ts';

const hookNames = [
  'onRequest',
  'preParsing',
  'preValidation',
  'preHandler',
  'preSerialization',
  'onSend',
  'onError',
  'onResponse',
] as const;

/** Adds one hook of each name, which records that it ran. */
function noteHooks(app: Context): string[] {
  const ran: string[] = [];
  for (const name of hookNames) {
    app.addHook(name as 'onRequest', async () => {
      ran.push(name);
    });
  }
  return ran;
}

for (const [flavor, make] of flavors) {
  describe(`the steps of a request on ${flavor}`, () => {
    test('run in the order of the lifecycle', async () => {
      const app = make();
      const ran = noteHooks(app);
      app.addContentTypeParser('text/x', { parseAs: 'string' }, async (_request, body) => {
        ran.push('parser');
        return { body };
      });
      app.setValidatorCompiler(() => () => {
        ran.push('validator');
        return true;
      });
      app.setSerializerCompiler(() => () => {
        ran.push('serializer');
        return '{}';
      });
      const schema = {
        body: { content: { 'text/x': { schema: { type: 'object' } } } },
        response: { 200: { type: 'object' } },
      };
      app.post('/', { schema }, async () => {
        ran.push('handler');
        return {};
      });
      const origin = await serve(app);
      await (
        await fetch(origin, { method: 'POST', headers: { 'content-type': 'text/x' }, body: 'x' })
      ).text();
      await expect.poll(() => ran).toHaveLength(11);
      expect(ran).toEqual([
        'onRequest',
        'preParsing',
        'parser',
        'preValidation',
        'validator',
        'preHandler',
        'handler',
        'preSerialization',
        'serializer',
        'onSend',
        'onResponse',
      ]);
    });

    test('continue after a failure with the hooks and handlers of errors', async () => {
      const app = make();
      const ran = noteHooks(app);
      app.setErrorHandler(async () => {
        ran.push('errorHandler');
        return {};
      });
      app.get('/', async () => {
        ran.push('handler');
        throw new Error('it broke');
      });
      const origin = await serve(app);
      await (await fetch(origin)).text();
      await expect.poll(() => ran).toHaveLength(10);
      expect(ran).toEqual([
        'onRequest',
        'preParsing',
        'preValidation',
        'preHandler',
        'handler',
        'onError',
        'errorHandler',
        'preSerialization',
        'onSend',
        'onResponse',
      ]);
    });
  });
}

describe('the steps of a plan', () => {
  const context = {} as Context;
  const hook = (): void => {};
  const app = {
    declared: hook,
    context,
    belongsToRoute: false,
    origin: undefined,
    self: context,
    isAsync: false,
  };
  const none: AppSteps = {
    onRequest: [],
    preParsing: [],
    preValidation: [],
    preHandler: [],
    preSerialization: [],
    onSend: [],
    onError: [],
    errorHandler: [makeAppStep('errorHandler', app)],
    onResponse: [],
    onTimeout: [],
    onRequestAbort: [],
  };
  const nothing: RouteNeeds = { readBody: false, validate: false, admit: false };
  const namesOf = (steps: readonly { name: string }[]): string[] => steps.map(({ name }) => name);

  test('of a route without hooks, body and schema are the handler, serialize and write', () => {
    const { request, reply, failure } = compileSteps(none, nothing);
    expect(namesOf(request)).toEqual(['handler']);
    expect(namesOf(reply)).toEqual(['serialize', 'write']);
    expect(namesOf(failure)).toEqual(['errorHandler', 'defaultErrorReply', 'write', 'lastErrorReply']);
  });

  for (const [needs, expected] of [
    [{ readBody: true, validate: false, admit: false }, ['readBody', 'handler']],
    [{ readBody: false, validate: true, admit: false }, ['validate', 'handler']],
    [{ readBody: true, validate: true, admit: false }, ['readBody', 'validate', 'handler']],
    [{ readBody: false, validate: false, admit: true }, ['admit', 'handler']],
    [
      { readBody: true, validate: false, admit: true },
      ['admit', 'pauseAdmission', 'readBody', 'resumeAdmission', 'handler'],
    ],
  ] as const) {
    test(`of a route with ${JSON.stringify(needs)} are ${expected}`, () => {
      expect(namesOf(compileSteps(none, needs).request)).toEqual(expected);
    });
  }

  test('contain each hook at its place in the lifecycle, with its function and the context that declared it', () => {
    const preHandler = makeAppStep('preHandler', app);
    const onSend = makeAppStep('onSend', app);
    const steps = compileSteps({ ...none, preHandler: [preHandler, preHandler], onSend: [onSend] }, nothing);
    expect(namesOf(steps.request)).toEqual(['preHandler', 'preHandler', 'handler']);
    expect(namesOf(steps.reply)).toEqual(['serialize', 'onSend', 'write']);
    expect(namesOf(steps.failure)).toEqual([
      'errorHandler',
      'defaultErrorReply',
      'onSend',
      'write',
      'lastErrorReply',
    ]);
    expect(steps.request[0]!.app).toMatchObject({ declared: hook, context });
  });

  test('are shared with a plan that has the same steps', () => {
    const base = compileSteps(none, nothing);
    const preHandler = [makeAppStep('preHandler', app)];
    const steps = compileSteps({ ...none, preHandler }, nothing, { app: none, steps: base });
    expect(namesOf(steps.request)).toEqual(['preHandler', 'handler']);
    expect(steps.reply).toBe(base.reply);
    expect(steps.failure).toBe(base.failure);
  });

  test('have the indexes for payloads without a serializer and for later failures', () => {
    const onError = makeAppStep('onError', app);
    const preSerialization = makeAppStep('preSerialization', app);
    const steps = compileSteps(
      { ...none, onError: [onError], preSerialization: [preSerialization] },
      nothing,
    );
    expect(namesOf(steps.reply.slice(steps.serializeAt))).toEqual(['serialize', 'write']);
    expect(namesOf(steps.reply.slice(steps.deliverAt))).toEqual(['write']);
    expect(namesOf(steps.failure.slice(steps.defaultReplyAt))).toEqual([
      'defaultErrorReply',
      'write',
      'onError',
      'lastErrorReply',
    ]);
    expect(namesOf(steps.failure.slice(steps.lastReplyAt))).toEqual(['onError', 'lastErrorReply']);
  });
});
