// Proves how the options of the command line are read.
import { expect, test } from 'vitest';
import { readOptions } from './options.mjs';
import { comparedWith } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

test('a run without options has every section, scenario and version of Node', () => {
  const options = readOptions([]);
  expect(options).toMatchObject({ nodes: [26, 24, 20], scenarios: Object.keys(scenarios), rounds: 2 });
  expect(options.sections).toEqual(['requests', 'latency', 'startup', 'types']);
  expect(options.peers[0]).toBe('ambit');
});

test('the options for peers or scenarios select only requests, unless there are sections', () => {
  const read = (/** @type {string} */ line) => readOptions(line.split(' '));
  expect(read('--peers ambit,fastify --node 24').sections).toEqual(['requests']);
  expect(read('--scenarios get,post')).toMatchObject({ sections: ['requests'], scenarios: ['get', 'post'] });
  expect(read('--peers ambit,fastify --sections latency').sections).toEqual(['latency']);
});

for (const [line, message] of [
  ['--peers ambit', "--peers takes two or more names, received 'ambit'"],
  ['--peers ambit,restify', /^--peers knows ambit, .*; received 'restify'$/],
  ['--rounds 0', "--rounds takes an integer above 0, received '0'"],
  ['--rounds 1.5', "--rounds takes an integer above 0, received '1.5'"],
])
  test(`'${line}' is rejected, and the error says what was received`, () => {
    expect(() => readOptions(line.split(' '))).toThrow(message);
  });

test('a peer is compared with the first one, or with Ambit on its own runtime', () => {
  const measured = ['ambit', 'fastify', 'bun-ambit', 'bun-serve', 'deno-hono'];
  const compared = measured.map((peer) => comparedWith(peer, measured));
  expect(compared).toEqual(['ambit', 'ambit', 'bun-ambit', 'bun-ambit', 'ambit']);
  expect(comparedWith('bun-ambit', ['bun-serve', 'bun-ambit'])).toBe('bun-serve');
});
