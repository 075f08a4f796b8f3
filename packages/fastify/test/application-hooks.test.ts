/** Application hooks get the arguments that Fastify gives them, whatever number of parameters they declare. */
import { type FastifyInstance, fastify as original } from 'fastify';
import { expect, test } from 'vitest';
import { fastify as facade } from '../src/index.ts';

type Hook = (...args: unknown[]) => unknown;
type Shape = (run: Hook) => Hook;

const shapes: Record<string, Shape> = {
  'no parameter': (run) => () => run(),
  'no declared parameter':
    (run) =>
    (...args) =>
      run(...args),
  'one parameter': (run) => (a) => run(a),
  'two parameters': (run) => (a, b) => run(a, b),
  'three parameters': (run) => (a, b, c) => run(a, b, c),
  'no parameter, async': (run) => async () => run(),
  'one parameter, async': (run) => async (a) => run(a),
  'two parameters, async': (run) => async (a, b) => run(a, b),
  'three parameters, async': (run) => async (a, b, c) => run(a, b, c),
};

/** Boots, listens and closes. Returns what the hook got, and what failed. Hooks that get `done` call it. */
async function outcomeOf(app: FastifyInstance, name: string, shape: Shape): Promise<unknown[]> {
  const outcome: unknown[] = [];
  const hook = shape((...args) => {
    outcome.push(args.map((arg) => typeof arg));
    (args.find((arg) => typeof arg === 'function') as (() => void) | undefined)?.();
  });
  const note = (error: { code?: string }): unknown => outcome.push(error.code);
  try {
    app.addHook(name as 'onReady', hook as never);
    app.register(async (context) => void context.get('/', () => 'ok'));
    await app.listen({ port: 0 });
  } catch (error) {
    note(error as never);
  }
  await app.close().catch(note);
  return outcome;
}

for (const name of ['onReady', 'onListen', 'preClose', 'onClose', 'onRoute', 'onRegister']) {
  test.for(Object.entries(shapes))(`${name} with %s`, async ([, shape]) => {
    const options = { pluginTimeout: 500 };
    const ours = await outcomeOf(facade(options) as unknown as FastifyInstance, name, shape);
    expect(ours).toEqual(await outcomeOf(original(options) as never, name, shape));
  });
}
