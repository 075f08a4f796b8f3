// Tests the content of the page.
import { expect, test } from 'vitest';
import { renderReport } from './report.mjs';

const facts = { date: '2025-01-02', node: '20.19.0', fastify: '5.0.0', ambit: '0.1.0' };
const sum = { files: 2, passed: 2, reachable: 3, total: 4 };
const base = { facts, sums: { ratchet: sum, rest: sum, whole: sum }, rows: [], onPurpose: [], open: [] };
const failing = { file: 'test/a.test.js', test: 'one', reason: 'It reads a private field.' };

test('the page names the command, the date and the versions', () => {
  const page = renderReport(base);
  expect(page).toContain('npm run conformance');
  expect(page).toContain('2025-01-02 with Node 20.19.0, fastify 5.0.0 and @ambit/fastify 0.1.0');
});

for (const [passed, percentage] of [
  [2, '66.6 %'],
  [3, '100.0 %'],
]) {
  test(`${passed} of 3 is shown as ${percentage}`, () => {
    const page = renderReport({ ...base, rows: [{ area: 'Hooks', ...sum, passed }] });
    expect(page).toContain(`| Hooks | 2 | ${passed} | 3 | ${percentage} | 4 |`);
  });
}

test('an area without a reachable test has no percentage', () => {
  const page = renderReport({ ...base, rows: [{ area: 'Hooks', ...sum, passed: 0, reachable: 0 }] });
  expect(page).toContain('| Hooks | 2 | 0 | 0 |  | 4 |');
});

test('a test that fails on purpose is listed with its reason', () => {
  const page = renderReport({ ...base, onPurpose: [failing] });
  expect(page).toContain('## Failing on purpose');
  expect(page).toContain('- `test/a.test.js`, `one`:\n  It reads a private field.\n');
});

test('an open test is listed without a reason', () => {
  const page = renderReport({ ...base, open: [{ file: 'test/a.test.js', test: 'one' }] });
  expect(page).toContain('## Open');
  expect(page).toContain('- `test/a.test.js`, `one`\n');
});

test('there is no heading for an empty list', () => {
  const page = renderReport(base);
  expect(page).not.toContain('## Failing on purpose');
  expect(page).not.toContain('## Open');
});

test('a name with backticks is formatted as code', () => {
  const page = renderReport({ ...base, open: [{ file: 'test/a.test.js', test: 'calls `done`' }] });
  expect(page).toContain('`` calls `done` ``');
});

test('the page ends with one line break', () => {
  expect(renderReport(base)).toMatch(/[^\n]\n$/);
  expect(renderReport({ ...base, onPurpose: [failing] })).toMatch(/[^\n]\n$/);
});
