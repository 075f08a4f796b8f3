// Proves how the options of the command line are read, and which runs may replace the published figures.
import { expect, test } from 'vitest';
import { readOptions } from './options.mjs';
import { canRun, peersOnOtherNodes } from './peers.mjs';
import { scenarios } from './scenarios.mjs';

for (const [line, writesDocs] of [
  ['', true],
  ['--rounds 2', true],
  ['--rounds 1', false],
  ['--slice 1', false],
  ['--node 26', false],
  ['--quick', false],
  ['--quick --write', true],
  ['--peers ambit,fastify', false],
  ['--scenarios get', false],
  ['--sections startup', false],
  ['--sections startup --write', true],
]) {
  test(`'${line}' ${writesDocs ? 'replaces' : 'leaves'} the published figures`, () => {
    expect(readOptions(line.split(' ').filter(Boolean)).writesDocs).toBe(writesDocs);
  });
}

test('a run without options has every section, peer and scenario', () => {
  const options = readOptions([]);
  expect(options.sections).toEqual(['requests', 'latency', 'idle', 'serializers', 'startup', 'types']);
  expect(options.peers[0]).toBe('ambit');
  expect(options.scenarios).toContain('pipelined');
});

test('a complete run may take 40 minutes, with less than 27 minutes of load', () => {
  const { rounds, warmUpSeconds, sliceSeconds, nodes, peers, scenarios: names } = readOptions([]);
  const count = (candidates) =>
    names.flatMap((name) => candidates.filter((peer) => canRun(peer, scenarios[name]))).length;
  const servers = count(peers) + (nodes.length - 1) * count(peersOnOtherNodes);
  expect((servers * (warmUpSeconds + rounds * sliceSeconds)) / 60).toBeLessThan(27);
});

test('the options for peers or scenarios select only requests', () => {
  expect(readOptions(['--peers', 'ambit,fastify']).sections).toEqual(['requests']);
  expect(readOptions(['--only', 'get', '--only', 'post'])).toMatchObject({
    sections: ['requests'],
    scenarios: ['get', 'post'],
  });
});

test('the first Node is the current LTS line, followed by 24 and 20', () => {
  expect(readOptions([]).nodes).toEqual([26, 24, 20]);
  expect(readOptions(['--node', '24']).nodes).toEqual([24]);
});

test('scenarios can be listed with commas, or with one option each', () => {
  expect(readOptions(['--scenarios', 'get,rows']).scenarios).toEqual(['get', 'rows']);
});

for (const [line, message] of [
  ['--peers ambit', "--peers takes two or more names, received 'ambit'"],
  ['--peers ambit,restify', /^--peers knows ambit, .*; received 'restify'$/],
  ['--scenarios put', /^--scenarios knows get, .*; received 'put'$/],
  ['--rounds 0', "--rounds takes an integer above 0, received '0'"],
  ['--rounds 1.5', "--rounds takes an integer above 0, received '1.5'"],
  ['--node 18', "--node takes majors from 20 up, as in 26,24; received '18'"],
]) {
  test(`'${line}' is rejected, and the error says what was received`, () => {
    expect(() => readOptions(line.split(' '))).toThrow(message);
  });
}
