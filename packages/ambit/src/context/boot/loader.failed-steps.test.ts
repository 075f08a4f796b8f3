/**
 * What steps of boot and closing pass to `done`, throw or reject with: every value except `undefined` and `null` is a failure, also
 * `false`, `0` and an empty string.
 */
import type { Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { falsyValues } from '../../../test/support/falsy-values.ts';
import { flavors } from '../../../test/support/flavors.ts';
import { LogLines } from '../../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../../test/support/process-faults.ts';

forbidProcessFaults();

type AnyDone = (error?: unknown) => void;

const nothing: [what: string, value: unknown][] = [
  ['undefined', undefined],
  ['null', null],
];

/** Steps in callback style. If one fails, boot fails. */
const steps: Record<string, (app: Context, settle: (done: AnyDone) => void) => void> = {
  'a plugin': (app, settle) => {
    app.register(((_context: unknown, _options: unknown, done: AnyDone) => settle(done)) as never);
  },
  'a listener of after with two parameters': (app, settle) => {
    app.register(async () => {}).after(((_error: unknown, done: AnyDone) => settle(done)) as never);
  },
  'a listener of after with three parameters': (app, settle) => {
    app.after(((_error: unknown, _context: unknown, done: AnyDone) => settle(done)) as never);
  },
  'an onReady hook': (app, settle) => {
    app.addHook('onReady', ((done: AnyDone) => settle(done)) as never);
  },
  'an onReady hook of a plugin': (app, settle) => {
    app.register(async (plugin) => {
      plugin.addHook('onReady', ((done: AnyDone) => settle(done)) as never);
    });
  },
};

/** The same steps, ending with an exception or a promise. */
const throwing: Record<string, (app: Context, run: () => never | Promise<never>) => void> = {
  'a plugin': (app, run) => {
    app.register((() => run()) as never);
  },
  'a listener of after': (app, run) => {
    app.after(() => run());
  },
  'an onReady hook': (app, run) => {
    app.addHook('onReady', () => run());
  },
};

for (const [flavor, make] of flavors) {
  describe(`boot on ${flavor}`, () => {
    for (const [where, place] of Object.entries(steps)) {
      for (const [what, value] of falsyValues) {
        test(`fails when ${where} gives ${what} to done`, async () => {
          for (const later of [(run: () => void) => run(), setImmediate]) {
            const app = make();
            place(app, (done) => later(() => done(value)));
            await expect(app.ready()).rejects.toMatchObject({
              code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
              cause: value,
            });
          }
        });

        test(`tells the listener of ready when ${where} gives ${what} to done`, async () => {
          const app = make();
          place(app, (done) => done(value));
          const error = await new Promise((resolve) => app.ready(resolve as never));
          expect(error).toBeInstanceOf(Error);
        });
      }

      for (const [what, value] of nothing) {
        test(`goes on when ${where} gives ${what} to done`, async () => {
          const app = make();
          place(app, (done) => done(value));
          await expect(app.ready()).resolves.toBeDefined();
        });
      }
    }

    for (const [where, place] of Object.entries(throwing)) {
      for (const [what, value] of [...falsyValues, ...nothing]) {
        test(`fails when ${where} throws ${what}`, async () => {
          const app = make();
          place(app, () => {
            throw value;
          });
          await expect(app.ready()).rejects.toMatchObject({
            code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
            cause: value,
          });
        });

        test(`fails when ${where} rejects with ${what}`, async () => {
          const app = make();
          place(app, () => Promise.reject(value));
          await expect(app.ready()).rejects.toMatchObject({
            code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR',
            cause: value,
          });
        });
      }
    }

    test('names the failed step and the value that it failed with', async () => {
      const app = make();
      app.addHook('onReady', function warmUp(done) {
        done(false as never);
      });
      await expect(app.ready()).rejects.toThrow(
        'hook \'onReady\' "warmUp" failed with false instead of an error',
      );
    });

    test('fails with an error whose code is a name of Object.prototype, or throws when it is read', async () => {
      const unreadable = Object.defineProperty(new Error('unreadable'), 'code', {
        get() {
          throw new Error('read');
        },
      });
      const inherited = Object.assign(new Error('inherited'), { code: 'constructor' });
      for (const error of [unreadable, inherited]) {
        const app = make();
        app.register(() => Promise.reject(error));
        await expect(app.ready()).rejects.toBe(error);
      }
    });
  });

  describe(`closing on ${flavor}`, () => {
    for (const [what, value] of falsyValues) {
      test(`rejects when an onClose hook gives ${what} to done`, async () => {
        const app = make();
        app.addHook('onClose', ((_context: unknown, done: AnyDone) => done(value)) as never);
        await app.ready();
        await expect(app.close()).rejects.toMatchObject({ code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR' });
      });

      test(`logs what a preClose hook gives to done, also ${what}`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        app.addHook('preClose', ((done: AnyDone) => done(value)) as never);
        await app.ready();
        await expect(app.close()).rejects.toMatchObject({ code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR' });
        expect(
          lines.lines.some(({ err, code }) => (err?.code ?? code) === 'AMBIT_ERR_FAILED_WITHOUT_ERROR'),
        ).toBe(true);
      });

      test(`logs what an onListen hook gives to done, also ${what}`, async () => {
        const lines = new LogLines();
        const app = make({ logger: { stream: lines } });
        app.addHook('onListen', ((done: AnyDone) => done(value)) as never);
        await app.listen({ port: 0, host: '127.0.0.1' });
        await app.close();
        expect(
          lines.lines.some(({ err, code }) => (err?.code ?? code) === 'AMBIT_ERR_FAILED_WITHOUT_ERROR'),
        ).toBe(true);
      });
    }

    for (const [what, value] of [...falsyValues, ...nothing]) {
      test(`rejects when an onClose hook rejects with ${what}`, async () => {
        const app = make();
        app.addHook('onClose', () => Promise.reject(value));
        await app.ready();
        await expect(app.close()).rejects.toMatchObject({ code: 'AMBIT_ERR_FAILED_WITHOUT_ERROR' });
      });
    }
  });
}
