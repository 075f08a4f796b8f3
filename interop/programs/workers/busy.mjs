// Does while it is imported what no worker may do: the watched calls must show all of it. workerd refuses some of it.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';

const uses = [
  () => setTimeout(() => {}, 1),
  () => setInterval(() => {}, 1),
  () => setImmediate(() => {}),
  () => fetch('http://localhost/').catch(() => {}),
  () => new WebSocket('ws://localhost/'),
  // biome-ignore lint/security/noGlobalEval: the test has to see it.
  () => globalThis.eval('1'),
  () => new Function('return 1'),
  () => Math.random(),
  () => crypto.getRandomValues(new Uint8Array(1)),
  () => crypto.randomUUID(),
  () => caches.open('cache').catch(() => {}),
  () => randomBytes(1),
  () => readFileSync('/bundle/worker'),
  () => readFile('/bundle/worker').catch(() => {}),
  () => connect(80, 'localhost'),
];

for (const use of uses) {
  try {
    use();
  } catch {
    // Refused: it was called all the same.
  }
}

export default { fetch: () => new Response('busy') };
