// Which limits of @fastify/under-pressure work on each runtime, and so what a runtime measures of its event loop.
import { expect, test } from 'vitest';
import { runOn } from '../runtimes/start.mjs';

const all = {
  maxEventLoopDelay: true,
  maxEventLoopUtilization: true,
  maxRssBytes: true,
  maxHeapUsedBytes: true,
  healthCheck: true,
};

test.each([
  ['node', 'all limits', all],
  ['bun', 'all limits except the utilization of the event loop', { ...all, maxEventLoopUtilization: false }],
  [
    'deno',
    'all limits except the delay and the utilization of the event loop',
    { ...all, maxEventLoopDelay: false, maxEventLoopUtilization: false },
  ],
])('on %s, %s refuse requests', async (runtime, _limits, expected) => {
  expect(await runOn(runtime, 'limits-of-under-pressure.mjs')).toEqual(expected);
});
