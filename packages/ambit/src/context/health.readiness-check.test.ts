import { expect, onTestFinished, test, vi } from 'vitest';
import { ReadinessCheck } from './health.ts';

for (const [outcome, run] of [
  ['passes', () => true],
  ['fails', () => Promise.reject(new Error('no connection'))],
] as const) {
  test(`a check that ${outcome} in time leaves no timer, so that its signal never aborts`, async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const check = new ReadinessCheck({ name: 'database', timeoutMs: 800, cacheMs: 0, run });
    await check.getResult(() => {});
    expect(vi.getTimerCount()).toBe(0);
  });
}
