/** A payload hook may reply itself: the payload that it sends replaces the one that it got. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import { serve } from '../../test/support/serve.ts';

describe('a payload hook that sends', () => {
  for (const phase of ['preSerialization', 'onSend'] as const) {
    const isOwn = (payload: unknown): boolean => String(payload).includes('early');

    test(`${phase}: replies synchronously, and need not call done`, async () => {
      const app = ambit();
      app.addHook(phase, (_request, reply, payload, done) => {
        if (isOwn(payload)) done(null, payload);
        else reply.code(203).send('early');
      });
      app.get('/', async () => ({ a: 1 }));
      const response = await fetch(await serve(app));
      expect(response.status).toBe(203);
      expect(await response.text()).toBe('early');
    });

    test(`${phase}: replies later, and need not call done`, async () => {
      const app = ambit();
      app.addHook(phase, (_request, reply, payload, done) => {
        if (isOwn(payload)) done(null, payload);
        else setTimeout(() => reply.code(203).send('early'), 5);
      });
      app.get('/', async () => ({ a: 1 }));
      const response = await fetch(await serve(app));
      expect(response.status).toBe(203);
      expect(await response.text()).toBe('early');
    });

    test(`${phase}: replies and returns the reply`, async () => {
      const app = ambit();
      app.addHook(phase, async (_request, reply, payload) => {
        if (isOwn(payload)) return payload;
        await sleep(1);
        return reply.code(203).send('early');
      });
      app.get('/', async () => ({ a: 1 }));
      const response = await fetch(await serve(app));
      expect(response.status).toBe(203);
      expect(await response.text()).toBe('early');
    });

    test(`${phase}: an error that it throws after its reply is not answered`, async () => {
      const app = ambit();
      app.addHook(phase, async (_request, reply, payload) => {
        if (isOwn(payload)) return payload;
        reply.send('early');
        throw new Error('late');
      });
      app.get('/', async () => ({ a: 1 }));
      const response = await fetch(await serve(app));
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('early');
    });
  }

  for (const [style, wait] of [
    ['at once', undefined],
    ['later', 1],
  ] as const) {
    test(`one that replies again to its own replies ${style} fails the request`, async () => {
      const app = ambit();
      app.addHook('onSend', (_request, reply) => {
        if (wait === undefined) reply.send('again');
        else setTimeout(() => reply.send('again'), wait);
      });
      app.get('/', async () => 'first');
      const response = await fetch(await serve(app));
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: 'FST_ERR_REP_ALREADY_SENT' });
    });
  }

  test('what a handler returns after it has sent a reply does not replace the payload', async () => {
    const app = ambit();
    app.addHook('onSend', async (_request, _reply, payload) => {
      await sleep(5);
      return payload;
    });
    app.get('/', async (_request, reply) => {
      reply.send('first');
      return 'second';
    });
    expect(await (await fetch(await serve(app))).text()).toBe('first');
  });
});
