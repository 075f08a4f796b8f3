import { expect, test } from 'vitest';
import { SimulatedEventLoop } from '../../../test/support/simulated-event-loop.ts';
import { SimulatedServer } from '../../../test/support/simulated-server.ts';
import { AdmissionController } from './admission-controller.ts';
import { RouteBaseline } from './concurrency-limiter.ts';

const settings = {
  minLimit: 10,
  maxLimit: 1_000,
  initialLimit: 20,
  tolerance: 2,
  maxEventLoopDelayMs: 100,
  retryAfterSeconds: 1,
};

function setUp(): { controller: AdmissionController; loop: SimulatedEventLoop; route: RouteBaseline } {
  const loop = new SimulatedEventLoop();
  return { controller: new AdmissionController(settings, loop), loop, route: new RouteBaseline() };
}

for (const hasSocket of [true, false]) {
  test(`the time that a request ${hasSocket ? 'of a socket' : 'of inject'} waits for its client does not count for its duration`, () => {
    const { controller, loop, route } = setUp();
    const ticket = controller.enter(1, hasSocket)!;
    loop.work(10);
    controller.pause(ticket);
    loop.endTurn();
    loop.waitUntil(60_000);
    controller.resume(ticket);
    loop.work(5);
    controller.leave(ticket, route);
    expect(route.tookMs).toBe(15);
  });
}

test('a request that ends while it waits for its client does not count for the duration of its route', () => {
  const { controller, route } = setUp();
  const ticket = controller.enter(1, false)!;
  controller.pause(ticket);
  controller.leave(ticket, route);
  expect(route.tookMs).toBe(0);
  expect(controller.state.inFlight).toBe(0);
});

for (const [name, handler] of [
  ['works for 2 ms, half of it in another turn', [1, 1]],
  ['works for 2 ms at once', [2]],
  ['works for 1 ms, in five turns', [0.2, 0.2, 0.2, 0.2, 0.2]],
  ['works for 10 ms, half of it in another turn', [5, 5]],
] as const) {
  const capacity = 1_000 / handler.reduce((sum, ms) => sum + ms, 0);

  for (const seed of [1, 2, 3]) {
    test(`seed ${seed}: a process whose handler ${name} serves 90 % of its capacity at three times of it, in three times the time at 80 %`, () => {
      const server = new SimulatedServer(settings, handler, seed);
      server.run(capacity * 0.5, 10);
      const normal = server.run(capacity * 0.8, 30);
      expect(normal.refused).toBeLessThan(capacity * 0.8 * 30 * 0.005);
      server.run(capacity, 10);
      for (const load of [2, 3]) {
        const overloaded = server.run(capacity * load, 30);
        expect(overloaded.servedPerSecond).toBeGreaterThan(capacity * 0.9);
        expect(overloaded.p99Ms).toBeLessThan(normal.p99Ms * 3);
      }
      const after = server.run(capacity * 0.8, 30);
      expect(after.refused).toBeLessThan(capacity * 0.8 * 30 * 0.005);
      expect(after.p99Ms).toBeLessThan(normal.p99Ms * 1.5);
    });
  }
}
