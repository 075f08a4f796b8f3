import { expect, test } from 'vitest';
import { findNodeObstacle } from './requirements.ts';

test.each(['22.18.0', '22.23.3', '23.6.0', '24.0.0', '26.10.0'])('Node %s runs every template', (version) => {
  for (const template of ['minimal', 'service'] as const)
    for (const isJavaScript of [false, true])
      expect(findNodeObstacle(template, isJavaScript, 'node', version)).toBeUndefined();
});

test.each(['20.19.0', '22.17.1', '23.5.0'])(
  'Node %s runs the template minimal in JavaScript only',
  (version) => {
    expect(findNodeObstacle('minimal', true, 'node', version)).toBeUndefined();
    expect(findNodeObstacle('minimal', false, 'node', version)).toBe(
      `TypeScript without a build needs Node 22.18 or newer; this is Node ${version}`,
    );
    expect(findNodeObstacle('service', true, 'node', version)).toBe(
      `the template service needs Node 22.18 or newer; this is Node ${version}`,
    );
  },
);

test('applications for Bun and Deno need no version of Node, and workers need 22.18 to be built', () => {
  const obstacles = (['bun', 'deno', 'cloudflare'] as const).map((runtime) =>
    findNodeObstacle('minimal', true, runtime, '20.19.0'),
  );
  expect(obstacles).toEqual([
    undefined,
    undefined,
    'the build of a worker needs Node 22.18 or newer; this is Node 20.19.0',
  ]);
  expect(findNodeObstacle('minimal', false, 'cloudflare', '22.18.0')).toBeUndefined();
});
