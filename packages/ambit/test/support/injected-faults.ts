/** Where an application's code runs in the life of a request, and what can go wrong there: one route for each pair. */
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context, RequestHookName } from 'ambit';

export const faults = ['throws', 'rejects', 'settles twice', 'never settles'] as const;
export type Fault = (typeof faults)[number];

/** What is sent: the first of it has been written when its connection breaks, or nothing else than this status. */
type Outcome = number | 'cut off';

export interface Point {
  /** What the client gets if the code throws. */
  readonly failed: Outcome;
  /** What it gets if a promise of the code rejects. Default: the same. */
  readonly rejected?: Outcome;
  /** What it gets if the code settles twice. Default: 200. */
  readonly twice?: Outcome;
  /** Adds a route whose code has the fault. `reached` is called when the code runs. */
  readonly add: (app: Context, path: string, fault: Fault, reached: () => void) => void;
}

const never = (): Promise<never> => new Promise(() => {});

/** Code that returns a promise, or throws. */
function misbehave(fault: Fault, reached: () => void): unknown {
  reached();
  if (fault === 'throws') throw new Error('injected');
  if (fault === 'never settles') return never();
  return nextTurn().then(() => {
    if (fault === 'rejects') throw new Error('injected');
  });
}

/** A hook; one that settles twice calls `done` twice and throws then. Its last parameter is the given one. */
export function hook(parameters: number, fault: Fault, reached: () => void): never {
  const twice = (done: () => void): void => {
    reached();
    done();
    done();
    throw new Error('injected');
  };
  const isTwice = fault === 'settles twice';
  if (!isTwice) return (async (..._: unknown[]) => misbehave(fault, reached)) as never;
  const styles: Record<number, unknown> = {
    2: (_request: unknown, done: () => void) => twice(done),
    3: (_request: unknown, _reply: unknown, done: () => void) => twice(done),
    4: (_request: unknown, _reply: unknown, _payload: unknown, done: () => void) => twice(done),
  };
  return styles[parameters] as never;
}

const ok = (): object => ({ ok: true });
const fail = (): never => {
  throw new Error('expected');
};

/** A route with one hook of its own. */
function hookPoint(
  name: RequestHookName,
  parameters: number,
  failed: Outcome,
  handler: () => unknown = ok,
  twice: Outcome = failed === 200 || handler === ok ? 200 : 500,
): Point {
  return {
    failed,
    twice,
    add: (app, path, fault, reached) =>
      app.post(path, { [name]: hook(parameters, fault, reached) } as never, handler),
  };
}

/** A stream that fails, or never has anything, from its second piece on. */
function stream(fault: Fault, reached: () => void): Readable {
  let isFirst = true;
  return new Readable({
    read() {
      if (isFirst) {
        isFirst = false;
        this.push('first');
        return;
      }
      reached();
      if (fault === 'throws') throw new Error('injected');
      if (fault === 'rejects') this.destroy(new Error('injected'));
      if (fault === 'settles twice') {
        this.push(null);
        this.destroy();
      }
    },
  });
}

/** By the name of the step of the lifecycle that runs the code, or of the observer. */
export const stepPoints = {
  onRequest: hookPoint('onRequest', 3, 500),
  preParsing: hookPoint('preParsing', 4, 500),
  readBody: {
    failed: 500,
    twice: 200,
    add: (app, path, fault, reached) =>
      app.register(async (context) => {
        context.removeContentTypeParser('text/fault');
        context.addContentTypeParser(
          'text/fault',
          { parseAs: 'string' },
          fault === 'settles twice'
            ? (_request, _body, done) => {
                reached();
                done(null, 'first');
                done(new Error('injected'));
              }
            : async () => misbehave(fault, reached),
        );
        context.post(path, ok);
      }),
  },
  preValidation: hookPoint('preValidation', 3, 500),
  validate: {
    failed: 500,
    // The rejection of a validator means that the value is not valid.
    rejected: 400,
    twice: 200,
    add: (app, path, fault, reached) => {
      const schema = { body: { content: { 'text/fault': { schema: { type: 'string' } } } } };
      const validatorCompiler = () => () => misbehave(fault, reached) ?? { value: 'valid' };
      app.post(path, { schema, validatorCompiler } as never, ok);
    },
  },
  preHandler: hookPoint('preHandler', 3, 500),
  handler: {
    failed: 500,
    twice: 200,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => {
        if (fault !== 'settles twice') return misbehave(fault, reached);
        reached();
        reply.send({ ok: true });
        reply.send({ ok: false });
        return undefined;
      });
    },
  },
  preSerialization: hookPoint('preSerialization', 4, 500),
  serialize: {
    failed: 500,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => {
        reply.type('text/plain').serializer(() => {
          reached();
          // It returns a text at once: to reject and to settle twice do not exist.
          if (fault === 'throws' || fault === 'rejects') throw new Error('injected');
          return 'text';
        });
        return fault === 'never settles' ? never() : { ok: true };
      });
    },
  },
  onSend: hookPoint('onSend', 4, 500),
  write: {
    failed: 'cut off',
    twice: 200,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => reply.send(stream(fault, reached)));
    },
  },
  onError: hookPoint('onError', 4, 500, fail),
  errorHandler: {
    failed: 500,
    twice: 500,
    add: (app, path, fault, reached) =>
      app.register(async (context) => {
        context.setErrorHandler((_error, _request, reply) => {
          if (fault !== 'settles twice') return misbehave(fault, reached) as never;
          reached();
          reply.code(500).send('first');
          reply.send('second');
          return undefined as never;
        });
        context.post(path, fail);
      }),
  },
  onResponse: hookPoint('onResponse', 3, 200),
} as const satisfies Record<string, Point>;

/** A web stream that fails, or never has anything, from its second piece on. */
function webStream(fault: Fault, reached: () => void): ReadableStream {
  let isFirst = true;
  return new ReadableStream({
    pull(controller) {
      if (isFirst) {
        isFirst = false;
        controller.enqueue(Buffer.from('first'));
        return undefined;
      }
      if (fault !== 'settles twice') return misbehave(fault, reached) as Promise<void>;
      reached();
      controller.close();
      controller.close();
      return undefined;
    },
  });
}

/** Code that does not have a step of its own. */
export const otherPoints = {
  /** A parser that reads the body by itself. */
  streamParser: {
    failed: 500,
    twice: 200,
    add: (app, path, fault, reached) =>
      app.register(async (context) => {
        context.removeContentTypeParser('text/fault');
        context.addContentTypeParser('text/fault', (_request, payload, done) => {
          reached();
          if (fault === 'throws') throw new Error('injected');
          payload.resume().on('end', () => {
            if (fault === 'settles twice') done(null, 'first');
            if (fault !== 'never settles') done(new Error('injected'));
          });
        });
        context.post(path, ok);
      }),
  },
  /** A stream that takes the place of the body. */
  replacedBody: {
    // What goes wrong with a body is the fault of the client.
    failed: 400,
    // It is destroyed before its end is read, without an error.
    twice: 500,
    add: (app, path, fault, reached) =>
      app.post(path, { preParsing: async () => stream(fault, reached) }, ok),
  },
  webStream: {
    failed: 'cut off',
    // A web stream that is closed twice throws, after it has been closed.
    twice: 200,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => reply.send(webStream(fault, reached)));
    },
  },
  /** The response has no such trailer then. */
  trailer: {
    failed: 200,
    twice: 200,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => {
        reply.trailer('x-sum', (_reply, _payload, done) => {
          if (fault !== 'settles twice') return misbehave(fault, reached) as Promise<string>;
          reached();
          done(null, 'first');
          done(new Error('injected'));
          return undefined as never;
        });
        return 'text';
      });
    },
  },
  /** The application answers by itself, and then has the fault. */
  hijack: {
    failed: 200,
    twice: 200,
    add: (app, path, fault, reached) => {
      app.post(path, (_request, reply) => {
        reply.hijack();
        if (fault !== 'never settles') reply.raw.end('by itself');
        if (fault !== 'settles twice') return misbehave(fault, reached);
        reached();
        reply.send('second');
        reply.send('third');
        return undefined;
      });
    },
  },
  notFoundHandler: {
    failed: 500,
    twice: 404,
    add: (app, path, fault, reached) =>
      app.register(
        async (context) => {
          context.setNotFoundHandler((_request, reply) => {
            if (fault !== 'settles twice') return misbehave(fault, reached) as never;
            reached();
            reply.code(404).send('first');
            reply.send('second');
            return undefined as never;
          });
        },
        { prefix: path },
      ),
  },
} as const satisfies Record<string, Point>;
