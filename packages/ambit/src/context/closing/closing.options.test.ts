/** The options of `close`, and the order of its hooks. */
import { once } from 'node:events';
import { type AmbitOptions, isStopping } from 'ambit';
import { expect, test } from 'vitest';
import { flavors } from '../../../test/support/flavors.ts';
import { forbidProcessFaults } from '../../../test/support/process-faults.ts';

forbidProcessFaults();

const never = (): Promise<never> => new Promise(() => {});

for (const [flavor, make] of flavors) {
  for (const value of [-1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, '10', true, null, {}, [1], 5n]) {
    for (const name of ['graceMs', 'delayMs']) {
      test(`${flavor}: ${name} may not be ${typeof value} ${String(value)}`, async () => {
        const app = make();
        expect(() => app.close({ [name]: value })).toThrow(
          expect.objectContaining({
            code: 'AMBIT_ERR_CLOSE_OPTIONS_INVALID',
            message: expect.stringContaining(`${name} must be a number of milliseconds from 0 to 2147483647`),
          }),
        );
        expect(isStopping(app)).toBe(false);
        await app.close();
      });
    }
  }

  for (const value of [0, 0.5, 1, 2 ** 31 - 1, undefined]) {
    test(`${flavor}: graceMs may be ${value}`, async () => {
      expect(await make().close({ graceMs: value as number })).toBe(0);
    });
  }

  for (const [wrong, nearest] of [
    ['gracems', 'graceMs'],
    ['delay', 'delayMs'],
    ['timeout', undefined],
  ] as const) {
    test(`${flavor}: an option ${wrong} is refused, with the nearest name`, async () => {
      const app = make();
      const refusal = (): unknown => app.close({ [wrong]: 1 } as never);
      expect(refusal).toThrow(expect.objectContaining({ code: 'AMBIT_ERR_UNKNOWN_OPTION' }));
      expect(refusal).toThrow(nearest ?? wrong);
      await app.close();
    });
  }

  for (const value of [null, 5, true, [], Symbol('no')]) {
    test(`${flavor}: ${String(value)} instead of options is refused`, async () => {
      const app = make();
      expect(() => app.close(value as never)).toThrow(
        expect.objectContaining({ code: 'AMBIT_ERR_CLOSE_OPTIONS_INVALID' }),
      );
      await app.close();
    });
  }

  test(`${flavor}: close without options resolves with undefined, and calls a callback`, async () => {
    expect(await make().close()).toBe(undefined);
    const app = make();
    const [error] = await new Promise<unknown[]>((resolve) => app.close((...args) => resolve(args)));
    expect(error).toBe(undefined);
  });

  test(`${flavor}: close can be the listener of a signal, which passes its name`, async () => {
    const app = make();
    const closed = new Promise((resolve) => app.addHook('onClose', async () => resolve('closed')));
    process.once('SIGUSR2', app.close as () => void);
    process.emit('SIGUSR2');
    expect(await closed).toBe('closed');
  });

  test(`${flavor}: with options, preClose and onClose hooks run in reverse order, and one that fails skips none`, async () => {
    const app = make();
    const ran: string[] = [];
    const hooks = (name: string): void => {
      for (const event of ['preClose', 'onClose'] as const)
        app.addHook(event, async () => {
          ran.push(`${event} ${name}`);
          throw new Error(`${event} ${name} failed`);
        });
    };
    hooks('first');
    hooks('second');
    app.register(async (child) => {
      child.addHook('preClose', async () => void ran.push('preClose child'));
      child.addHook('onClose', async () => void ran.push('onClose child'));
    });
    await app.ready();
    await expect(app.close({ graceMs: 60_000 })).rejects.toThrow('failed');
    expect(ran.slice(0, 3)).toEqual(['preClose child', 'preClose second', 'preClose first']);
    expect(ran.slice(3)).toEqual(['onClose child', 'onClose second', 'onClose first']);
  });

  const hanging: Record<string, (options: AmbitOptions) => Promise<unknown>> = {
    preClose: async (options) => {
      const app = make(options);
      app.addHook('preClose', never);
      const closed = once(app.server, 'close');
      await app.listen({ port: 0, host: '127.0.0.1' });
      const outcome = app.close({ graceMs: 60_000 }).catch((error) => error);
      await closed;
      return outcome;
    },
    onClose: async (options) => {
      const app = make(options);
      const ran: string[] = [];
      app.addHook('onClose', async () => void ran.push('next'));
      app.addHook('onClose', never);
      await app.ready();
      const outcome = await app.close({ graceMs: 60_000 }).catch((error) => error);
      expect(ran).toEqual(['next']);
      return outcome;
    },
  };
  for (const [hook, close] of Object.entries(hanging)) {
    test(`${flavor}: a hook ${hook} that never ends is waited for no longer than pluginTimeout`, async () => {
      expect(await close({ pluginTimeout: 50 })).toMatchObject({ code: 'FST_ERR_HOOK_TIMEOUT' });
    });
  }

  test(`${flavor}: a preClose hook that never ends is not waited for after the deadline`, async () => {
    const app = make({ pluginTimeout: 0 });
    app.addHook('preClose', never);
    await app.ready();
    await expect(app.close({ graceMs: 20 })).rejects.toMatchObject({ code: 'FST_ERR_HOOK_TIMEOUT' });
  });

  test(`${flavor}: an application that has not booted closes with options`, async () => {
    expect(await make().close({ graceMs: 0, delayMs: 0 })).toBe(0);
  });

  test(`${flavor}: a second call gets the same result, also after the first has ended`, async () => {
    const app = make();
    await app.ready();
    expect(await Promise.all([app.close({}), app.close({ graceMs: 1 }), app.close()])).toEqual([
      0,
      0,
      undefined,
    ]);
    expect(await app.close({ graceMs: 1 })).toBe(0);
  });
}
