// Proves which requests wrk sends, and how its output is read.
import { expect, test } from 'vitest';
import { idPlaceholder } from './load.mjs';
import { scenarios } from './scenarios.mjs';
import { readReport, writeScript } from './wrk.mjs';

test('the script sends the unchanged request of the scenario', () => {
  expect(writeScript(scenarios.get)).toContain('"GET / HTTP/1.1\\r\\nhost: 127.0.0.1\\r\\n\\r\\n"');
});

test('a pipelined scenario sends ten requests at once', () => {
  expect(writeScript(scenarios.pipelined).split('GET / HTTP/1.1')).toHaveLength(11);
});

test('headers that differ in each request are filled in by a counter', () => {
  const script = writeScript(scenarios.proxy);
  expect(script).toContain('table.concat(parts');
  expect(script).not.toContain(idPlaceholder);
});

test('the report is the line that the script printed, also with other output of wrk around it', () => {
  const line = 'RESULT {"requests":10,"micros":2000000,"p99Micros":900,"badStatus":0,"broken":0}';
  expect(readReport(`Running 2s test\n${line}\nRequests/sec: 5\n`)).toMatchObject({
    requests: 10,
    p99Micros: 900,
  });
});

test('a run without a report is an error with the output of wrk', () => {
  expect(() => readReport('unable to connect')).toThrow(/no result:\nunable to connect/);
});
