// Proves how the options of the command line are read.
import { expect, test } from 'vitest';
import { readOptions } from './options.mjs';
import { comparedWith } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

test('a run without options has every section, scenario and version of Node', () => {
  const options = readOptions([]);
  expect(options).toMatchObject({
    sections: ['requests', 'latency', 'startup', 'types'],
    nodes: [26, 24, 20],
  });
  expect(options).toMatchObject({
    processes: 1,
    rounds: 2,
    warmUpSeconds: 3,
    sliceSeconds: 2,
    freshRounds: 2,
  });
  expect(options.peers[0]).toBe('ambit');
  expect(options.scenarios).toEqual(Object.keys(scenarios));
});

test('the options for peers or scenarios select only requests, unless there are sections', () => {
  expect(readOptions(['--peers', 'ambit,fastify']).sections).toEqual(['requests']);
  expect(readOptions(['--only', 'get', '--only', 'post', '--scenarios', 'rows,hooks'])).toMatchObject({
    sections: ['requests'],
    scenarios: ['get', 'post', 'rows', 'hooks'],
  });
  expect(readOptions(['--peers', 'ambit,fastify', '--sections', 'latency']).sections).toEqual(['latency']);
});

for (const [line, message] of [
  ['--peers ambit', "--peers takes two or more names, received 'ambit'"],
  ['--peers ambit,restify', /^--peers knows ambit, .*; received 'restify'$/],
  ['--scenarios put', /^--scenarios knows get, .*; received 'put'$/],
  ['--rounds 0', "--rounds takes an integer above 0, received '0'"],
  ['--rounds 1.5', "--rounds takes an integer above 0, received '1.5'"],
  ['--node 18', "--node takes majors from 20 up, as in 26,24, received '18'"],
]) {
  test(`'${line}' is rejected, and the error says what was received`, () => {
    expect(() => readOptions(line.split(' '))).toThrow(message);
  });
}

test('a peer is compared with the first one, or with Ambit on its own runtime', () => {
  const measured = ['ambit', 'fastify', 'bun-ambit', 'bun-serve', 'deno-hono'];
  const compared = measured.map((peer) => comparedWith(peer, measured));
  expect(compared).toEqual(['ambit', 'ambit', 'bun-ambit', 'bun-ambit', 'ambit']);
  expect(comparedWith('bun-ambit', ['bun-serve', 'bun-ambit'])).toBe('bun-serve');
});
