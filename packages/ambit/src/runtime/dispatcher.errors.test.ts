/** Failures before a request has reached its route: in functions that are options, by malformed URLs, in constraints. */
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

/** Fails for `/` only, so that the next request shows that the connection is still open. */
function failsForRoot(url: string | undefined): void {
  if (url === '/') throw new Error('at the loader');
}

/** An asynchronous constraint that fails for each request. */
const withoutTenant: AmbitOptions['routerOptions'] = {
  constraints: {
    tenant: {
      name: 'tenant',
      storage: () => ({ get: () => null, set: () => {} }),
      deriveConstraint: (_request, _context, done) => done!(new Error('no tenant')),
    },
  },
};

async function answers(app: Context): Promise<number[]> {
  app.get('/', () => 'root');
  app.get('/next', () => 'next');
  const port = await servePort(app);
  return statuses(await converse(port, request('GET', '/') + lastRequest('GET', '/next')));
}

describe('an option that throws during a request', () => {
  const options: Record<string, AmbitOptions> = {
    genReqId: {
      genReqId: ({ url }) => {
        failsForRoot(url);
        return 'id';
      },
    },
    childLoggerFactory: {
      childLoggerFactory: (logger, bindings, childOptions, { url }) => {
        failsForRoot(url);
        return logger.child(bindings, childOptions);
      },
    },
    rewriteUrl: {
      rewriteUrl: ({ url }) => {
        failsForRoot(url);
        return url!;
      },
    },
    'a constraint': {
      routerOptions: {
        constraints: {
          tenant: {
            name: 'tenant',
            storage: () => ({ get: () => null, set: () => {} }),
            deriveConstraint: ({ url }: { url: string }) => failsForRoot(url),
          },
        },
      },
    },
  };

  for (const [what, option] of Object.entries(options)) {
    test(`${what} is answered 500 once`, async () => {
      const app = ambit(option);
      const tenant = { constraints: { tenant: 'a' } };
      // The router only derives constraints that some route uses.
      if (what === 'a constraint') app.get('/tenant', tenant, () => 'tenant');
      expect(await answers(app)).toEqual([500, 200]);
    });
  }

  test('a query string parser is answered 500 once', async () => {
    const app = ambit({
      routerOptions: {
        querystringParser: (text) => {
          if (text === 'fail') throw new Error('at the loader');
          return {};
        },
      },
    });
    app.get('/', () => 'root');
    const port = await servePort(app);
    const received = await converse(port, request('GET', '/?fail') + lastRequest('GET', '/'));
    expect(statuses(received)).toEqual([500, 200]);
  });

  test('a child logger that is not a logger is answered 500 once', async () => {
    const app = ambit({
      childLoggerFactory: (logger, bindings, childOptions, { url }) =>
        url === '/' ? ({} as never) : logger.child(bindings, childOptions),
    });
    expect(await answers(app)).toEqual([500, 200]);
  });

  test('a trustProxy predicate is answered 500 once', async () => {
    const app = ambit({
      trustProxy: () => {
        throw new Error('at the loader');
      },
    });
    app.get('/ip', (request) => request.ip);
    const port = await servePort(app);
    const received = await converse(
      port,
      request('GET', '/ip', 'X-Forwarded-For: 10.0.0.1') + lastRequest('GET', '/ip'),
    );
    expect(statuses(received)).toEqual([500, 200]);
  });
});

describe('frameworkErrors', () => {
  const badUrl = '/%E0%A4%A';

  async function answersTo(frameworkErrors: NonNullable<AmbitOptions['frameworkErrors']>): Promise<string> {
    const app = ambit({ frameworkErrors });
    app.get('/:id', () => 'got');
    const port = await servePort(app);
    return converse(port, request('GET', badUrl) + lastRequest('GET', '/next'));
  }

  test('answers a URL that cannot be decoded', async () => {
    const received = await answersTo((error, _request, reply) => {
      reply.code(422).send({ refused: error.code });
    });
    expect(statuses(received)).toEqual([422, 200]);
    expect(received).toContain('{"refused":"FST_ERR_BAD_URL"}');
  });

  test('may be asynchronous', async () => {
    const received = await answersTo(async (error) => ({ refused: error.code }));
    expect(statuses(received)).toEqual([400, 200]);
    expect(received).toContain('{"refused":"FST_ERR_BAD_URL"}');
  });

  test('that throws is answered once', async () => {
    const received = await answersTo(() => {
      throw new Error('in the handler');
    });
    expect(statuses(received)).toEqual([500, 200]);
  });

  test('that rejects is answered once', async () => {
    const received = await answersTo(async () => {
      throw new Error('in the handler');
    });
    expect(statuses(received)).toEqual([500, 200]);
  });

  test('answers a param that is too long', async () => {
    const app = ambit({ frameworkErrors: (error, _request, reply) => reply.code(422).send(error.code) });
    app.get('/:id', () => 'got');
    const response = await app.inject(`/${'x'.repeat(101)}`);
    expect(response.statusCode).toBe(422);
    expect(response.body).toBe('FST_ERR_MAX_PARAM_LENGTH');
  });

  test('answers an asynchronous constraint that fails', async () => {
    const app = ambit({
      frameworkErrors: (error, _request, reply) => reply.code(422).send(error.code),
      routerOptions: withoutTenant,
    });
    app.get('/', { constraints: { tenant: 'a' } }, () => 'got');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(422);
    expect(response.body).toBe('FST_ERR_ASYNC_CONSTRAINT');
  });
});

describe('without frameworkErrors', () => {
  test('an asynchronous constraint that fails is answered 500', async () => {
    const app = ambit({
      routerOptions: withoutTenant,
    });
    app.get('/', { constraints: { tenant: 'a' } }, () => 'got');
    const response = await app.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ statusCode: 500, error: 'Internal Server Error' });
  });

  test('rewriteUrl that returns no string gets at most one response', async () => {
    const app = ambit({ rewriteUrl: ({ url }) => (url === '/' ? (7 as never) : url!) });
    expect((await answers(app)).length).toBeLessThanOrEqual(2);
  });
});
