// Decorators of contexts, requests and replies: kinds of values, clashes, dependencies and lookups.
import { ambit, type Context, type Reply, type Request } from 'ambit';
import { expect, test } from 'vitest';

const here = expect.stringContaining('decorators.test.ts');

type Declaration = [name: string | symbol, value?: unknown, dependencies?: (string | symbol)[]];

/** For each of the three kinds: how to add a decorator, how to check for it, and how a route reads it. */
const kinds = [
  {
    kind: 'context',
    decorate: (app: Context, ...args: Declaration) => app.decorate(...args),
    has: (app: Context, name: string | symbol) => app.hasDecorator(name),
    owner: (request: Request, _reply: Reply): Owner => request.server,
  },
  {
    kind: 'request',
    decorate: (app: Context, ...args: Declaration) => app.decorateRequest(...args),
    has: (app: Context, name: string | symbol) => app.hasRequestDecorator(name),
    owner: (request: Request, _reply: Reply): Owner => request,
  },
  {
    kind: 'reply',
    decorate: (app: Context, ...args: Declaration) => app.decorateReply(...args),
    has: (app: Context, name: string | symbol) => app.hasReplyDecorator(name),
    owner: (_request: Request, reply: Reply): Owner => reply,
  },
] as const;
type Owner = { getDecorator<T = unknown>(name: string | symbol): T };

for (const { kind, decorate, has, owner } of kinds) {
  for (const value of [42, 0, 'text', '', true, false, null]) {
    test(`a ${kind} decorator may have the value ${JSON.stringify(value)}`, async () => {
      const app = ambit();
      decorate(app, 'thing', value);
      app.get('/', (request, reply) => ({ thing: owner(request, reply).getDecorator('thing') }));
      expect(has(app, 'thing')).toBe(true);
      expect((await app.inject('/')).json()).toEqual({ thing: value });
    });
  }

  test(`a ${kind} decorator without a value exists, and is undefined`, async () => {
    const app = ambit();
    decorate(app, 'thing');
    app.get('/', (request, reply) => [
      'thing' in owner(request, reply),
      owner(request, reply).getDecorator('thing') === undefined,
    ]);
    expect((await app.inject('/')).json()).toEqual([true, true]);
  });

  test(`a ${kind} decorator may be a function, and is called on its owner`, async () => {
    const app = ambit();
    decorate(app, 'self', function (this: object) {
      return this;
    });
    app.get('/', (request, reply) => {
      const target = owner(request, reply) as Owner & { self(): object };
      return [target.self() === target, target.getDecorator<() => object>('self')() === target];
    });
    expect((await app.inject('/')).json()).toEqual([true, true]);
  });

  test(`a ${kind} decorator may have a symbol for a name`, async () => {
    const app = ambit();
    const name = Symbol('thing');
    decorate(app, name, 42);
    app.get('/', (request, reply) => owner(request, reply).getDecorator<number>(name) + 1);
    expect(has(app, name)).toBe(true);
    expect((await app.inject('/')).body).toBe('43');
  });

  test(`a ${kind} decorator may be a getter, computed at each access on its owner`, async () => {
    const app = ambit();
    let calls = 0;
    decorate(app, 'thing', {
      getter(this: unknown) {
        calls++;
        return typeof (this as Owner).getDecorator;
      },
    } as never);
    app.get('/', (request, reply) => {
      const target = owner(request, reply);
      return [target.getDecorator('thing'), target.getDecorator('thing')];
    });
    expect((await app.inject('/')).json()).toEqual(['function', 'function']);
    expect(calls).toBeGreaterThanOrEqual(2);
  });

  test(`a ${kind} decorator may be a getter with a setter`, async () => {
    const app = ambit();
    const stored = new WeakMap<object, unknown>();
    decorate(app, 'thing', {
      getter(this: object) {
        return stored.get(this) ?? 'unset';
      },
      setter(this: object, value: unknown) {
        stored.set(this, value);
      },
    } as never);
    app.get('/', (request, reply) => {
      const target = owner(request, reply) as Owner & { thing: unknown };
      const before = target.thing;
      target.thing = 'set';
      return [before, target.thing];
    });
    expect((await app.inject('/')).json()).toEqual(['unset', 'set']);
  });

  test(`a ${kind} decorator that is defined twice in one context is a clash, with its place`, async () => {
    const app = ambit();
    decorate(app, 'thing', 1);
    expect(() => decorate(app, 'thing', 2)).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_DEC_ALREADY_PRESENT',
        message: "The decorator 'thing' has already been added!",
        where: { plugin: 'ambit', file: here, first: { plugin: 'ambit' } },
      }),
    );
  });

  test(`a clash of ${kind} decorators in a plugin fails the boot, with the path of the plugin`, async () => {
    const app = ambit();
    app.register(async function users(context) {
      decorate(context, 'thing', 1);
      decorate(context, 'thing', 2);
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_DEC_ALREADY_PRESENT',
      where: { plugin: 'ambit > users', file: here },
    });
  });

  test(`the clash of ${kind} decorators names a symbol`, () => {
    const app = ambit();
    const name = Symbol('thing');
    decorate(app, name, 1);
    expect(() => decorate(app, name, 2)).toThrow("The decorator 'Symbol(thing)' has already been added!");
  });

  test(`a ${kind} decorator may depend on others that are visible`, async () => {
    const app = ambit();
    decorate(app, 'first', 1);
    app.register(async (child) => {
      decorate(child, 'second', 2, ['first']);
      child.get('/', (request, reply) => owner(request, reply).getDecorator<number>('second') + 0);
    });
    expect((await app.inject('/')).body).toBe('2');
  });

  test(`a ${kind} decorator whose dependency is missing is refused, with its place`, () => {
    const app = ambit();
    expect(() => decorate(app, 'second', 2, ['first'])).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_DEC_MISSING_DEPENDENCY',
        message: "The decorator is missing dependency 'first'.",
        where: { plugin: 'ambit', file: here },
      }),
    );
    expect(has(app, 'second')).toBe(false);
  });

  test(`the dependencies of a ${kind} decorator must be a list`, () => {
    const app = ambit();
    expect(() => decorate(app, 'second', 2, 'first' as never)).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_DEC_DEPENDENCY_INVALID_TYPE',
        where: { plugin: 'ambit', file: here },
      }),
    );
  });

  test(`a ${kind} decorator is refused once the application has started`, async () => {
    const app = ambit();
    await app.ready();
    expect(() => decorate(app, 'late', 1)).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_DEC_AFTER_START',
        message: "The decorator 'late' has been added after start!",
      }),
    );
  });

  test(`asking for a ${kind} decorator that nobody declared is an error with a code`, async () => {
    const app = ambit();
    app.get('/', (request, reply) => owner(request, reply).getDecorator('nothing'));
    expect(has(app, 'nothing')).toBe(false);
    expect((await app.inject('/')).json()).toMatchObject({ statusCode: 500, code: 'FST_ERR_DEC_UNDECLARED' });
  });

  test(`a ${kind} decorator of a child is no decorator of its parent or sibling`, async () => {
    const app = ambit();
    const seen: boolean[] = [];
    app.register(async (child) => {
      decorate(child, 'thing', 1);
      seen.push(has(child, 'thing'));
    });
    app.register(async (sibling) => {
      seen.push(has(sibling, 'thing'));
    });
    await app.ready();
    expect([...seen, has(app, 'thing')]).toEqual([true, false, false]);
  });

  test(`decorating a ${kind} returns the context, for chaining`, () => {
    const app = ambit();
    expect(decorate(app, 'thing', 1)).toBe(app);
  });
}

for (const { kind, decorate } of kinds.slice(1)) {
  for (const [what, value] of [
    ['an object', {}],
    ['an array', []],
    ['a map', new Map()],
    ['a date', new Date(0)],
  ] as const) {
    test(`a ${kind} decorator that is ${what} is refused, because all instances would share it`, () => {
      const app = ambit();
      expect(() => decorate(app, 'thing', value)).toThrow(
        expect.objectContaining({
          code: 'FST_ERR_DEC_REFERENCE_TYPE',
          message:
            "The decorator 'thing' of type 'object' is a reference type. Use the { getter, setter } interface instead.",
          where: { plugin: 'ambit', file: here },
        }),
      );
    });
  }

  test(`a ${kind} decorator with the value of an ancestor's decorator is a clash in a child too`, async () => {
    const app = ambit();
    decorate(app, 'thing', 1);
    app.register(async function child(context) {
      decorate(context, 'thing', 2);
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_DEC_ALREADY_PRESENT',
      where: { plugin: 'ambit > child', file: here },
    });
  });

  test(`a ${kind} decorator that is a function may be replaced in a child, for that child`, async () => {
    const app = ambit();
    decorate(app, 'who', () => 'root');
    const owner =
      kind === 'request'
        ? (request: Request, _reply: Reply) => request
        : (_request: Request, reply: Reply) => reply;
    const ask = (request: Request, reply: Reply) => owner(request, reply).getDecorator<() => string>('who')();
    app.get('/root', ask);
    app.register(async (child) => {
      decorate(child, 'who', () => 'child');
      child.get('/child', ask);
    });
    expect((await app.inject('/root')).body).toBe('root');
    expect((await app.inject('/child')).body).toBe('child');
  });
}

test('a context decorator may be an object, which all that see it share', async () => {
  const app = ambit();
  const shared = { count: 0 };
  app.decorate('shared', shared);
  app.register(async (child) => {
    child.get('/', () => ++child.getDecorator<typeof shared>('shared').count);
  });
  await app.inject('/');
  await app.inject('/');
  expect(shared.count).toBe(2);
});

test('a child may hide a context decorator of its parent, for itself and its descendants', async () => {
  const app = ambit();
  app.decorate('db', 'main');
  app.register(async (child) => {
    child.decorate('db', 'replica');
    child.get('/child', () => child.getDecorator('db'));
  });
  app.get('/root', () => app.getDecorator('db'));
  expect((await app.inject('/child')).body).toBe('replica');
  expect((await app.inject('/root')).body).toBe('main');
});

for (const name of ['register', 'get', 'listen', 'log', 'server', 'prefix']) {
  test(`a context decorator may not replace the root's own ${name}`, () => {
    expect(() => ambit().decorate(name, 1)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_DEC_ALREADY_PRESENT' }),
    );
  });
}

for (const name of ['id', 'params', 'raw', 'query', 'log', 'body']) {
  test(`a request decorator may not replace the field ${name}`, () => {
    expect(() => ambit().decorateRequest(name, null)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_DEC_ALREADY_PRESENT' }),
    );
  });
}

for (const name of ['raw', 'request', 'log']) {
  test(`a reply decorator may not replace the field ${name}`, () => {
    expect(() => ambit().decorateReply(name, null)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_DEC_ALREADY_PRESENT' }),
    );
  });
}

test('the built-in members of requests and replies count as decorators that exist', () => {
  const app = ambit();
  expect(['id', 'body', 'headers', 'ip'].map((name) => app.hasRequestDecorator(name))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(['raw', 'request', 'send', 'code'].map((name) => app.hasReplyDecorator(name))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});

test('setDecorator sets the value for one request', async () => {
  const app = ambit();
  app.decorateRequest('user', null);
  app.addHook('onRequest', async (request) => request.setDecorator('user', request.headers['x-user']));
  app.get('/', (request) => ({ user: request.getDecorator('user') ?? null }));
  expect((await app.inject({ url: '/', headers: { 'x-user': 'ada' } })).json()).toEqual({ user: 'ada' });
  expect((await app.inject('/')).json()).toEqual({ user: null });
});

test('setDecorator of a name that nobody declared is an error with a code', async () => {
  const app = ambit();
  app.get('/', (request) => request.setDecorator('user', 'ada'));
  expect((await app.inject('/')).json()).toMatchObject({ statusCode: 500, code: 'FST_ERR_DEC_UNDECLARED' });
});

test('request decorators are there in every hook and in the error handler', async () => {
  const app = ambit();
  const seen: unknown[] = [];
  app.decorateRequest('answer', 42);
  app.addHook('onRequest', async (request) => void seen.push(request.getDecorator('answer')));
  app.addHook('onResponse', async (request) => void seen.push(request.getDecorator('answer')));
  app.setErrorHandler((_error, request, reply) => {
    seen.push(request.getDecorator('answer'));
    reply.code(500).send('');
  });
  app.get('/', () => {
    throw new Error('failed');
  });
  await app.inject('/');
  expect(seen).toEqual([42, 42, 42]);
});

test('request decorators of the root are there in its not-found handler', async () => {
  const app = ambit();
  app.decorateRequest('answer', 42);
  app.setNotFoundHandler((request) => ({ answer: request.getDecorator('answer') }));
  expect((await app.inject('/nowhere')).json()).toEqual({ answer: 42 });
});

test('a decorator that is assigned in one context of a plugin tree does not leak into another request class', async () => {
  const app = ambit();
  app.decorateRequest('a', 1);
  app.register(async (child) => {
    child.decorateRequest('b', 2);
    child.get('/child', (request) => Object.keys(request).filter((key) => key === 'a' || key === 'b'));
  });
  app.get('/root', (request) => Object.keys(request).filter((key) => key === 'a' || key === 'b'));
  expect((await app.inject('/child')).json()).toEqual(['a', 'b']);
  expect((await app.inject('/root')).json()).toEqual(['a']);
});
