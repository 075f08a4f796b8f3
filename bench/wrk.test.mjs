// Proves which requests wrk sends, and how its output is read.
import { expect, test } from 'vitest';
import { idPlaceholder, scenarios } from './scenarios.mjs';
import { readReport, writeScript } from './wrk.mjs';

test('the script sends the request of the scenario, ten at once if pipelined, and headers that differ in each request', () => {
  expect(writeScript(scenarios.get)).toContain('"GET / HTTP/1.1\\r\\nhost: 127.0.0.1\\r\\n\\r\\n"');
  expect(writeScript(scenarios.pipelined).split('GET / HTTP/1.1')).toHaveLength(11);
  expect(writeScript(scenarios.proxy)).toContain('table.concat(parts');
  expect(writeScript(scenarios.proxy)).not.toContain(idPlaceholder);
});

const report = (/** @type {object} */ fields) =>
  `Running 2s test\nRESULT ${JSON.stringify({ requests: 10, micros: 9, p99Micros: 3, badStatus: 0, broken: 0, ...fields })}\nRequests/sec: 5\n`;

test('the report is the line that the script printed, also with other output of wrk around it', () => {
  expect(readReport(report({}))).toEqual({ requests: 10, micros: 9, p99Micros: 3 });
  expect(readReport(report({ badStatus: 10 }), 404)).toMatchObject({ requests: 10 });
});

for (const [output, message] of [
  ['unable to connect', /no result:\nunable to connect/],
  [report({ broken: 1 }), '1 connections broke'],
  [report({ badStatus: 2 }), '2 of 10 responses have a status of 400 or more'],
]) {
  test(`a run fails with '${message}'`, () => {
    expect(() => readReport(output)).toThrow(message);
  });
}
