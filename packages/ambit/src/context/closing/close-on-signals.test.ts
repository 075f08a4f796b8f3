/** `closeOnSignals`: what signals and uncaught exceptions do to a process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { ambit, closeOnSignals } from 'ambit';
import { expect, type TestContext, test } from 'vitest';
import { open, request, statuses } from '../../../test/support/raw-client.ts';

const program = fileURLToPath(new URL('../../../test/fixtures/signals-program.mjs', import.meta.url));

interface Program {
  readonly child: ChildProcess;
  readonly port: number;
  readonly messages: unknown[];
  readonly output: Promise<string>;
  readonly exit: Promise<[code: number | null, signal: string | null]>;
}

/** The tests run beside each other, because they wait for processes. */
async function start(
  onTestFinished: TestContext['onTestFinished'],
  mode = '',
  ...make: readonly string[]
): Promise<Program> {
  const child = fork(program, [mode, ...make], { silent: true });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = Promise.all([text(child.stdout!), text(child.stderr!)]).then((texts) => texts.join(''));
  // The last messages may come after the process has ended.
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const exit = ended.then(([result]) => result as [number | null, string | null]);
  const failed = exit.then(async () => Promise.reject(new Error(await output)));
  const [port] = (await Promise.race([once(child, 'message'), failed])) as [number];
  const messages: unknown[] = [];
  child.on('message', (message) => messages.push(message));
  return { child, port, messages, output, exit };
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  test.concurrent(`${signal} closes the application: a running request is answered, hooks run, and the exit code is 0`, async ({
    onTestFinished,
  }) => {
    const { child, port, messages, output, exit } = await start(onTestFinished);
    const client = await open(port);
    client.socket.write(request('GET', '/slow'));
    await once(child, 'message');
    child.kill(signal);
    expect((await client.ended).toLowerCase()).toMatch(/200 ok\r\n.*connection: close\r\n.*slow$/s);
    expect(await exit).toEqual([0, null]);
    expect(messages).toEqual(['arrived', 'closed']);
    expect(await output).toContain(`"signal":"${signal}"`);
  });
}

test.concurrent('SIGINT closes without the delay for load balancers, and nothing is printed without a logger', async ({
  onTestFinished,
}) => {
  const { child, exit } = await start(onTestFinished, 'delayed');
  child.kill('SIGINT');
  expect(await exit).toEqual([0, null]);
  const silent = await start(onTestFinished, 'silent');
  silent.child.kill('SIGTERM');
  expect(await silent.exit).toEqual([0, null]);
  expect(await silent.output).toBe('');
});

test.concurrent('a hook that fails is logged, the others run, and the exit code is 1', async ({
  onTestFinished,
}) => {
  const { child, messages, output, exit } = await start(onTestFinished, 'failing');
  child.kill('SIGTERM');
  expect(await exit).toEqual([1, null]);
  expect(messages).toEqual(['closed']);
  expect(await output).toContain('cannot close');
});

test.concurrent('the longest times that are allowed do not end the process at once', async ({
  onTestFinished,
}) => {
  const { child, port, messages, exit } = await start(onTestFinished, 'patient');
  const client = await open(port);
  client.socket.write(request('GET', '/slow'));
  await once(child, 'message');
  child.kill('SIGTERM');
  expect((await client.ended).toLowerCase()).toMatch(/200 ok\r\n.*slow$/s);
  expect(await exit).toEqual([0, null]);
  expect(messages).toEqual(['arrived', 'closed']);
});

const flavorsAndEngines: readonly (readonly [flavor: string, ...engine: string[]])[] = [
  ['ambit'],
  ['ambit', 'node'],
  ['fastify'],
  ['fastify', 'node'],
];

for (const make of flavorsAndEngines) {
  test.concurrent(`a second signal ends the process at once, with the exit code of the signal (${make.join(', ')})`, async ({
    onTestFinished,
  }) => {
    const { child, port, messages, exit } = await start(onTestFinished, '', ...make);
    const client = await open(port);
    client.socket.write(request('GET', '/never'));
    await once(child, 'message');
    child.kill('SIGTERM');
    // A signal that comes at the same time as the first counts as the same signal.
    const again = setInterval(() => child.kill('SIGTERM'), 20);
    onTestFinished(() => clearInterval(again));
    expect(await exit).toEqual([143, null]);
    expect(messages).toEqual(['arrived']);
  });

  test.concurrent(`a request that is cut off is named in the log, and the exit code is 1 (${make.join(', ')})`, async ({
    onTestFinished,
  }) => {
    const { child, port, output, exit } = await start(onTestFinished, 'impatient', ...make);
    const client = await open(port);
    client.socket.write(request('GET', '/never'));
    await once(child, 'message');
    child.kill('SIGTERM');
    expect(await exit).toEqual([1, null]);
    expect(await client.ended).toBe('');
    expect(await output).toMatch(/"route":"GET \/never","ageMs":\d+,"context":"/);
  });
}

for (const path of ['/throw', '/reject']) {
  test.concurrent(`an exception that nobody catches (${path}) is logged, closes the application, and the exit code is 1`, async ({
    onTestFinished,
  }) => {
    const { port, messages, output, exit } = await start(onTestFinished);
    const client = await open(port);
    client.socket.write(request('GET', path));
    expect(statuses(await client.ended)).toEqual([200]);
    expect(await exit).toEqual([1, null]);
    expect(messages).toEqual(['closed']);
    expect(await output).toMatch(/"level":60.*nobody catches this/);
  });
}

test.concurrent('an exception that nobody catches is printed if there is no logger', async ({
  onTestFinished,
}) => {
  const { port, output, exit } = await start(onTestFinished, 'silent');
  const client = await open(port);
  client.socket.write(request('GET', '/throw'));
  expect(await exit).toEqual([1, null]);
  expect(await output).toContain('Error: nobody catches this');
});

test.concurrent('a process with two applications ends when both have closed', async ({ onTestFinished }) => {
  const { child, messages, exit } = await start(onTestFinished, 'two');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);
  expect(messages).toEqual(['closed', 'other closed']);
});

test('the function that is returned removes all listeners', () => {
  const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'uncaughtException'];
  const count = (): number[] => events.map((event) => process.listenerCount(event));
  const before = count();
  const stop = closeOnSignals(ambit(), { signals: ['SIGHUP'] });
  expect(count()).toEqual(before.map((number, i) => number + (i < 2 ? 0 : 1)));
  stop();
  expect(count()).toEqual(before);
});

for (const [what, options, code] of [
  ['signals that are no array', { signals: 'SIGTERM' }, 'AMBIT_ERR_CLOSE_OPTIONS_INVALID'],
  ['a signal that does not exist', { signals: ['SIGTREM'] }, 'AMBIT_ERR_CLOSE_OPTIONS_INVALID'],
  ['a signal that no process can listen to', { signals: ['SIGKILL'] }, 'AMBIT_ERR_CLOSE_OPTIONS_INVALID'],
  ['a negative time', { graceMs: -1 }, 'AMBIT_ERR_CLOSE_OPTIONS_INVALID'],
  ['no object', null, 'AMBIT_ERR_CLOSE_OPTIONS_INVALID'],
  ['an unknown option', { signal: ['SIGTERM'] }, 'AMBIT_ERR_UNKNOWN_OPTION'],
] as const) {
  test(`${what} is rejected, and no listener is added`, () => {
    const before = process.listenerCount('uncaughtException');
    expect(() => closeOnSignals(ambit(), options as never)).toThrow(expect.objectContaining({ code }));
    expect(process.listenerCount('uncaughtException')).toBe(before);
  });
}
