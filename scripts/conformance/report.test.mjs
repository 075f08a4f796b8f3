// Tests the figures of the page, and that the output names each test that needs attention.
import { expect, test } from 'vitest';
import { areaOf, describeResult, renderPage } from './report.mjs';

const entry = { file: 'test/a.test.js', test: 'one' };

test.each([
  ['http2/closing', 'HTTP/2 and HTTPS'],
  ['diagnostics-channel/404', 'Diagnostics and async context'],
  ['custom-parser-async', 'Bodies and media types'],
  ['custom-querystring-parser', 'Request'],
  ['schema-serialization', 'Serialization'],
  ['a-matter-of-its-own', 'Other'],
])('test/%s.test.js is about %s', (name, area) => {
  expect(areaOf(`test/${name}.test.js`)).toBe(area);
});

test('the output names each test that needs attention, with the first line of its error', () => {
  const failed = { ...entry, status: 'fail', error: 'expected 1\nactual 2' };
  const missing = ['two', 'three'].map((name) => ({ file: 'test/b.test.js', test: name, status: 'missing' }));
  const result = {
    regressed: [failed, ...missing],
    stale: [entry],
    gained: [entry],
    onPurpose: [],
    open: [entry],
  };
  const sums = { all: { passed: 3, reachable: 5 }, required: { passed: 2, reachable: 2 } };
  expect(describeResult(result, sums)).toEqual([
    'STOPPED PASSING: test/a.test.js: one (expected 1)',
    'STOPPED PASSING: test/b.test.js: 2 never reported: two | three',
    'STALE REASON in scripts/conformance/on-purpose.json: test/a.test.js: one',
    'passes now, record it with --update: test/a.test.js: one',
    'conformance: 3 of 5 reachable tests pass; 2 of 2 in the required files; 0 fail on purpose, 1 are open, 3 stopped passing',
  ]);
});

test('the page has a row for each area with a file, rounded down, and lists the tests that fail', () => {
  const page = renderPage({
    facts: {},
    outcomes: ['pass', 'fail', 'missing'].map((status) => ({ file: 'test/hooks.test.js', status })),
    totals: { 'test/hooks.test.js': 3, 'test/content-type.test.js': 4 },
    isRequired: (file) => file.includes('content'),
    onPurpose: [{ ...entry, reason: 'It reads a field.' }],
    open: [{ ...entry, test: 'calls `done`' }],
  });
  expect(page).toContain(
    '| Bodies and media types | 1 | 0 | 0 |  | 4 |\n| Hooks | 1 | 1 | 3 | 33.3 % | 3 |\n',
  );
  expect(page).toContain('- `test/a.test.js`, `one`:\n  It reads a field.\n');
  expect(page).toMatch(/\n\n- `test\/a\.test\.js`, `` calls `done` ``\n$/);
});
