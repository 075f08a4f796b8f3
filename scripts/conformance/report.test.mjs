// Tests the figures of the page, and that the output names each test that needs attention.
import { expect, test } from 'vitest';
import { areaOf, describeResult, renderPage, sumUp } from './report.mjs';

const none = { regressed: [], stale: [], gained: [], onPurpose: [], open: [] };
const entry = { file: 'test/a.test.js', test: 'one' };
const describe = (result) =>
  describeResult(
    { ...none, ...result },
    { all: { passed: 3, reachable: 5 }, required: { passed: 2, reachable: 2 } },
  );

const totals = { 'test/hooks.test.js': 3, 'test/route.1.test.js': 2, 'test/content-type.test.js': 4 };
const outcomes = ['pass', 'fail', 'missing'].map((status) => ({ file: 'test/hooks.test.js', status }));
const render = (lists) =>
  renderPage({
    facts: { date: '2025-01-02', node: '20.19.0', fastify: '5.0.0', ambit: '0.1.0' },
    outcomes: [...outcomes, { file: 'test/route.1.test.js', status: 'pass' }],
    totals,
    isRequired: (file) => file.includes('route'),
    onPurpose: [],
    open: [],
    ...lists,
  });

test.each([
  ['http2/closing', 'HTTP/2 and HTTPS'],
  ['diagnostics-channel/404', 'Diagnostics and async context'],
  ['404s', 'Not found'],
  ['custom-parser-async', 'Bodies and media types'],
  ['custom-querystring-parser', 'Request'],
  ['schema-serialization', 'Serialization'],
  ['reply-error', 'Errors'],
  ['route.4', 'Routing'],
  ['a-matter-of-its-own', 'Other'],
])('test/%s.test.js is about %s', (name, area) => {
  expect(areaOf(`test/${name}.test.js`)).toBe(area);
});

test('a sum counts passed tests, reachable tests and all tests', () => {
  expect(sumUp(outcomes, totals)).toEqual({ files: 3, passed: 1, reachable: 3, total: 9 });
});

test('the output names each test that needs attention, with the first line of its error', () => {
  const failed = { ...entry, status: 'fail', error: 'expected 1\nactual 2' };
  const missing = ['two', 'three'].map((name) => ({ file: 'test/b.test.js', test: name, status: 'missing' }));
  expect(
    describe({ regressed: [failed, ...missing], stale: [entry], gained: [entry], open: [entry] }),
  ).toEqual([
    'STOPPED PASSING: test/a.test.js: one (expected 1)',
    'STOPPED PASSING: test/b.test.js: 2 never reported: two | three',
    'STALE REASON in scripts/conformance/on-purpose.json: test/a.test.js: one',
    'passes now, record it with --update: test/a.test.js: one',
    'conformance: 3 of 5 reachable tests pass; 2 of 2 in the required files; 0 fail on purpose, 1 are open, 3 stopped passing',
  ]);
});

test('the page has the versions, and a row for each area with a file, rounded down', () => {
  const page = render();
  expect(page).toContain('2025-01-02 with Node 20.19.0, fastify 5.0.0 and @ambit/fastify 0.1.0');
  expect(page).toContain(
    '| Bodies and media types | 1 | 0 | 0 |  | 4 |\n| Hooks | 1 | 1 | 3 | 33.3 % | 3 |\n| Routing |',
  );
  expect(page).toContain('| required files | 1 | 1 | 1 | 100.0 % | 2 |');
  expect(page).toMatch(/[^\n]\n$/);
});

test('the page lists tests that fail on purpose and open tests, if there are any', () => {
  expect(render()).not.toMatch(/## (?:Failing on purpose|Open)/);
  const page = render({
    onPurpose: [{ ...entry, reason: 'It reads a field.' }],
    open: [{ ...entry, test: 'calls `done`' }],
  });
  expect(page).toContain('## Failing on purpose\n\nThese tests');
  expect(page).toContain('- `test/a.test.js`, `one`:\n  It reads a field.\n');
  expect(page).toMatch(/\n\n- `test\/a\.test\.js`, `` calls `done` ``\n$/);
});
