import { expect, onTestFinished, test, vi } from 'vitest';
import { Gate } from './gate.ts';
import { RouteBaseline } from './route-baseline.ts';

const settings = {
  minLimit: 10,
  maxLimit: 1_000,
  initialLimit: 20,
  tolerance: 2,
  maxEventLoopDelayMs: 100,
  retryAfterSeconds: 1,
};

/** A clock that stands still until it is set. */
function setUp(): { gate: Gate; setClock: (ms: number) => void } {
  let nowMs = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const gate = new Gate(settings);
  onTestFinished(async () => {
    // The turn of the event loop that admitted a request ends with the same clock.
    await new Promise((resolve) => setImmediate(resolve));
    gate.stop();
    clock.mockRestore();
  });
  return {
    gate,
    setClock: (ms) => {
      nowMs = ms;
    },
  };
}

for (const hasSocket of [true, false]) {
  test(`the time in which a request ${hasSocket ? 'of a socket' : 'of inject'} waits for its client is no part of what it takes`, () => {
    const { gate, setClock } = setUp();
    const route = new RouteBaseline();
    setClock(1_000);
    const ticket = gate.enter(1, hasSocket)!;
    setClock(1_010);
    gate.pause(ticket);
    setClock(61_010);
    gate.resume(ticket);
    setClock(61_015);
    gate.leave(ticket, route);
    expect(route.endWindow(1).tookMs).toBe(15);
  });
}

test('a request that leaves while it waits for its client shows nothing of what its route takes', () => {
  const { gate, setClock } = setUp();
  const route = new RouteBaseline();
  setClock(1_000);
  const ticket = gate.enter(1, false)!;
  gate.pause(ticket);
  gate.leave(ticket, route);
  expect(route.endWindow(1).tookMs).toBe(0);
  expect(gate.state.inFlight).toBe(0);
});
