import { expect, test } from 'vitest';
import { findObstacle } from './requirements.ts';

test.each(['22.18.0', '22.23.3', '23.6.0', '24.0.0', '26.10.0'])('Node %s runs every template', (version) => {
  for (const template of ['minimal', 'service'] as const)
    for (const isJavaScript of [false, true])
      expect(findObstacle(template, isJavaScript, version)).toBeUndefined();
});

test.each(['20.19.0', '22.17.1', '23.5.0'])(
  'Node %s runs the template minimal in JavaScript only',
  (version) => {
    expect(findObstacle('minimal', true, version)).toBeUndefined();
    expect(findObstacle('minimal', false, version)).toBe(
      `TypeScript without a build needs Node 22.18 or newer; this is Node ${version}`,
    );
    expect(findObstacle('service', true, version)).toBe(
      `the template service needs Node 22.18 or newer; this is Node ${version}`,
    );
  },
);
