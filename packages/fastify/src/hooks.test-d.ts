/** Hooks by name, in callback and in promise style. */
import {
  type FastifyInstance,
  type FastifyReply,
  fastify,
  type onCloseHookHandler,
  type onRequestAsyncHookHandler,
  type onRequestHookHandler,
  type preHandlerHookHandler,
  type RequestPayload,
} from 'fastify';
import type { HookHandlerDoneFunction, preCloseAsyncHookHandler } from 'fastify/types/hooks';

const app = fastify();

app
  .addHook('onRequest', async (request, reply) => {
    reply.header('x-id', request.id);
  })
  .addHook('preParsing', (_request, _reply, payload, done) => {
    payload.receivedEncodedLength = 1;
    done(null, payload);
  })
  .addHook('preParsing', async (_request, _reply, payload): Promise<RequestPayload> => payload)
  .addHook<{ Body: { name: string } }>('preHandler', async (request) => {
    request.body.name.trim();
  })
  .addHook<string>('onSend', (_request, _reply, payload, done) => done(null, payload.trim()))
  .addHook('onError', async (_request, _reply, error) => {
    error.code.trim();
  })
  .addHook('onRequestAbort', (request, done: HookHandlerDoneFunction) => done(new Error(request.url)))
  .addHook('onRegister', (instance: FastifyInstance, options) => instance.log.info(options.prefix))
  .addHook('onReady', function () {
    return this.ready();
  })
  .addHook('onClose', (instance, done) => done(new Error(instance.prefix)))
  .addHook('onClose', { async [Symbol.asyncDispose]() {} });

// @ts-expect-error: the hook does not exist.
app.addHook('onNothing', () => {});
// @ts-expect-error: a hook that returns a promise has no parameter `done`.
app.addHook('onRequest', async (_request, _reply, _done) => {});
// @ts-expect-error: the value must be disposable.
app.addHook('onClose', { dispose() {} });

const callback: onRequestHookHandler = (_request, _reply, done) => done();
const promise: onRequestAsyncHookHandler = async () => {};
const guard: preHandlerHookHandler = function (_request, _reply, done) {
  this.log.info('guarded');
  done();
};
const closing: preCloseAsyncHookHandler = async function () {
  await this.close();
};
const closed: onCloseHookHandler = (_instance, done) => done();
app
  .addHook('onRequest', callback)
  .addHook('onRequest', promise)
  .addHook('preClose', closing)
  .addHook('onClose', closed);
app.get('/', { onRequest: [callback, promise], preHandler: guard }, () => 'guarded');

// The options of a route accept one or more hooks of each name, in either style.
app.get('/hooked', {
  onRequest: (request, _reply, done) => done(new Error(request.id)),
  preParsing: [async (_request, _reply, payload): Promise<RequestPayload> => payload],
  preSerialization: [
    async (_request, _reply, payload) => payload,
    (_request, _reply, _payload, done) => done(),
  ],
  onError: (_request, reply, error, done) => {
    reply.log.error(error.code.trim());
    done();
  },
  onRequestAbort: function (request, done) {
    this.log.info(request.id);
    done();
  },
  handler: () => 'hooked',
});
// @ts-expect-error: the first parameter of a hook is the request, not the reply.
app.get('/', { onTimeout: (_request: FastifyReply) => {} }, () => 'never');
// @ts-expect-error: `onRequestAbort` has no reply.
app.get('/', { onRequestAbort: (_request, _reply: FastifyReply) => {} }, () => 'never');

// A not-found handler can have hooks in either style.
app.setNotFoundHandler({ preValidation: guard, preHandler: [async () => {}] }, (_request, reply) =>
  reply.send(),
);
