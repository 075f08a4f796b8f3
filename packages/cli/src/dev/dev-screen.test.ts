import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Key, keyHelp, listenForKeys, startBlock } from './dev-screen.ts';

const plain = (_style: string, text: string) => text;

test('the block at the start has all addresses, aligned', () => {
  const addresses = {
    local: 'http://localhost:3000',
    host: 'localhost',
    inspector: 'http://localhost:3000/__ambit',
    docs: 'http://localhost:3000/docs',
  };
  const heading = { title: 'Ambit 0.1.0', detail: 'src/app.ts ready in 179 ms', hint: 'h for help' };
  expect(startBlock(heading, addresses, plain)).toBe(`
  Ambit 0.1.0  src/app.ts ready in 179 ms

  Local      http://localhost:3000
  Network    only this machine; --host 0.0.0.0 for all
  Inspector  http://localhost:3000/__ambit
  Docs       http://localhost:3000/docs

  h for help

`);
});

for (const [what, local, host, row] of [
  [
    'all interfaces',
    'http://localhost:3000',
    '0.0.0.0',
    /^ {2}Local {6}http:\/\/localhost:3000\n( {2}Network {4}http:\/\/[\d.]+:3000\n)*$/,
  ],
  ['a socket', '/tmp/app.sock', 'localhost', /^ {2}Local {6}\/tmp\/app\.sock\n$/],
  ['one address', 'http://10.0.0.7:3000', '10.0.0.7', /^ {2}Local {6}http:\/\/10\.0\.0\.7:3000\n$/],
] as const) {
  test(`for ${what}, it has only what can be reached`, () => {
    const block = startBlock({ title: 'Ambit', detail: '', hint: undefined }, { local, host }, plain);
    expect(block.split('\n').slice(3, -2).join('\n').concat('\n')).toMatch(row);
  });
}

test('the help lists the keys', () => {
  const keys: Key[] = [
    ['r', 'restart', () => {}],
    ['q', 'quit', () => {}],
  ];
  expect(keyHelp(keys, plain)).toBe('\n  r  restart\n  q  quit\n\n');
});

class Input extends EventEmitter {
  readonly isTTY: boolean;
  readonly modes: boolean[] = [];

  constructor(isTTY = true) {
    super();
    this.isTTY = isTTY;
  }

  setRawMode(isRaw: boolean): void {
    this.modes.push(isRaw);
  }
}

test('each key that is typed calls its function, also several at once, and others are ignored', () => {
  const input = new Input();
  const called: string[] = [];
  listenForKeys(input, () => [
    ['r', 'restart', () => called.push('r')],
    ['q', 'quit', () => called.push('q')],
  ]);
  for (const data of ['r', 'x', '\x1b[A', 'R', 'rq']) input.emit('data', Buffer.from(data));
  expect(called).toEqual(['r', 'r', 'q']);
});

for (const [name, typed, signal] of [
  ['Ctrl-C', '\x03', 'SIGINT'],
  ['Ctrl-D', '\x04', 'SIGTERM'],
] as const) {
  test(`${name} is ${signal}`, () => {
    const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    const input = new Input();
    listenForKeys(input, () => []);
    input.emit('data', typed);
    expect(kill.mock.calls).toEqual([[process.pid, signal]]);
  });
}

test('Ctrl-Z stops all processes with the terminal as it was, and reads keys again when they continue', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => kill.mockRestore());
  const input = new Input();
  listenForKeys(input, () => []);
  input.emit('data', '\x1a');
  expect([kill.mock.calls, input.modes]).toEqual([[[0, 'SIGTSTP']], [true, false]]);
  process.emit('SIGCONT');
  expect(input.modes).toEqual([true, false, true]);
});

test('without a terminal, nothing is read', () => {
  const input = new Input(false);
  listenForKeys(input, () => []);
  expect([input.modes, input.listenerCount('data')]).toEqual([[], 0]);
});
