import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Load, SimulatedQueue } from '../../../test/support/simulated-queue.ts';
import { ConcurrencyLimiter, RouteBaseline } from './concurrency-limiter.ts';

const settings = { minLimit: 10, maxLimit: 1_000, initialLimit: 20, tolerance: 2, maxEventLoopDelayMs: 100 };

describe('for all sequences of requests, the limiter', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('acquire' as const), share: fc.constantFrom(0.5, 1, 1.5) }),
    fc.record({
      kind: fc.constant('release' as const),
      tookMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
    }),
    fc.record({
      kind: fc.constant('window' as const),
      utilization: fc.double({ min: 0, max: 1, noNaN: true }),
      delayMs: fc.double({ min: 0, max: 1e4, noNaN: true }),
    }),
  );

  test('keeps its limit between the lowest and the highest, and refuses nothing below the lowest limit', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const limiter = new ConcurrencyLimiter({ ...settings, minLimit: 3, maxLimit: 30, initialLimit: 5 });
        const route = new RouteBaseline();
        const run = {
          acquire: ({ share = 1 }, at: number) => {
            const before = limiter.inFlight;
            const isAdmitted = limiter.tryAcquire(share, at);
            expect(isAdmitted || before >= Math.max(1, 3 * share)).toBe(true);
            expect(limiter.inFlight).toBe(before + Number(isAdmitted));
          },
          release: ({ tookMs = 0 }) => {
            const count = Math.min(1, limiter.inFlight);
            for (let i = 0; i < count; i++) limiter.release();
            limiter.record(tookMs, route);
          },
          window: ({ utilization = 0, delayMs = 0 }) =>
            limiter.endWindow({ utilization, busyMs: utilization * 100, delayMs }),
        };
        for (const [at, each] of steps.entries()) {
          run[each.kind](each as never, at);
          expect(limiter.limit).toBeGreaterThanOrEqual(3);
          expect(limiter.limit).toBeLessThanOrEqual(30);
          expect(limiter.inFlight).toBeGreaterThanOrEqual(0);
          expect(limiter.inFlight).toBeLessThanOrEqual(60);
        }
      }),
    );
  });
});

test('a delayed event loop shrinks the limit, however long requests take', () => {
  const limiter = new ConcurrencyLimiter(settings);
  const route = new RouteBaseline();
  for (let i = 0; i < 100; i++) {
    limiter.record(1, route);
    limiter.endWindow({ utilization: 1, busyMs: 100, delayMs: 101 });
  }
  expect(limiter.limit).toBe(10);
});

test('an idle application keeps its limit', () => {
  const limiter = new ConcurrencyLimiter(settings);
  for (let i = 0; i < 100; i++) limiter.endWindow({ utilization: 0, busyMs: 0, delayMs: 0 });
  expect(limiter.limit).toBe(20);
});

test('while few requests run, a new duration becomes the usual one, and the limit hardly shrinks', () => {
  const limiter = new ConcurrencyLimiter({ ...settings, initialLimit: 100 });
  const route = new RouteBaseline();
  const runWindows = (durationMs: number): void => {
    for (let window = 0; window < 100; window++) {
      limiter.tryAcquire(1, window * 100);
      limiter.release();
      limiter.record(durationMs, route);
      limiter.endWindow({ utilization: 0.1, busyMs: 10, delayMs: 0 });
    }
  };
  runWindows(10);
  expect(limiter.limit).toBe(100);
  runWindows(100);
  expect(limiter.limit).toBeGreaterThan(80);
});

test('each route has its own usual duration, so that a mix of fast and slow routes is no overload', () => {
  const limiter = new ConcurrencyLimiter(settings);
  const [fast, slow] = [new RouteBaseline(), new RouteBaseline()];
  for (let window = 0; window < 100; window++) {
    for (let i = 0; i < 15; i++) limiter.tryAcquire(1, window * 100);
    for (let i = 0; i < 15; i++) {
      limiter.release();
      limiter.record(i % 5 === window % 5 ? 500 : 2, i % 5 === window % 5 ? slow : fast);
    }
    limiter.endWindow({ utilization: 0.5, busyMs: 50, delayMs: 0 });
  }
  expect(limiter.limit).toBeGreaterThan(20);
});

test('requests of an overload that ends before its window do not change the usual duration', () => {
  const limiter = new ConcurrencyLimiter(settings);
  const route = new RouteBaseline();
  const end = (durationsMs: readonly number[], busyMs: number): void => {
    for (const _ of durationsMs) limiter.tryAcquire(1, 0);
    for (const durationMs of durationsMs) {
      limiter.release();
      limiter.record(durationMs, route);
    }
    limiter.endWindow({ utilization: busyMs / 1_000, busyMs, delayMs: 0 });
  };
  end([2, 2], 4);
  end(new Array(20).fill(40), 50);
  end([2], 2);
  expect(route.usualMs).toBe(2);
});

const loads: readonly (readonly [string, Omit<Load, 'seconds' | 'requestsPerSecond'>])[] = [
  ['the processor, 2 ms each', { serviceMs: 2, workers: 1, isOwnWork: true }],
  ['a pool of 20 connections, 50 ms each', { serviceMs: 50, workers: 20, isOwnWork: false }],
];

for (const [name, work] of loads) {
  describe(`a simulated application that waits for ${name}`, () => {
    const capacity = (work.workers * 1_000) / work.serviceMs;
    const at = (load: number, seconds = 10): Load => ({
      ...work,
      seconds,
      requestsPerSecond: capacity * load,
    });

    for (const seed of [1, 2, 3]) {
      test(`seed ${seed}: refuses nothing at 80 % of its capacity, and at three times of it serves 95 % in three times the time`, () => {
        const queue = new SimulatedQueue(settings, seed);
        const normal = queue.run(at(0.8));
        expect(normal.refused).toBe(0);
        const overloaded = queue.run(at(3));
        expect(overloaded.servedPerSecond).toBeGreaterThan(capacity * 0.95);
        expect(overloaded.p99Ms).toBeLessThan(normal.p99Ms * 3);
        const after = queue.run(at(0.8));
        expect(after.refused).toBeLessThan(40);
        expect(after.p99Ms).toBeLessThan(normal.p99Ms * 1.5);
      });

      test(`seed ${seed}: converges when it starts overloaded`, () => {
        const { limits, servedPerSecond, p99Ms } = new SimulatedQueue(settings, seed).run(at(3, 20));
        expect(servedPerSecond).toBeGreaterThan(capacity * 0.95);
        expect(p99Ms).toBeLessThan(work.serviceMs * 25);
        const settled = limits.slice(-50);
        expect(Math.max(...settled) - Math.min(...settled)).toBeLessThanOrEqual(5);
      });
    }

    test('learns that a dependency stays slower, and serves all requests again', () => {
      const queue = new SimulatedQueue(settings, 1);
      queue.run(at(0.5));
      const slower = {
        ...work,
        serviceMs: work.serviceMs * 10,
        workers: work.workers * 10,
        isOwnWork: false,
      };
      queue.run({ ...slower, seconds: 30, requestsPerSecond: capacity * 0.5 });
      const later = queue.run({ ...slower, seconds: 10, requestsPerSecond: capacity * 0.5 });
      expect(later.refused).toBe(0);
    });
  });
}
