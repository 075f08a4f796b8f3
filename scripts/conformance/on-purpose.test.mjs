// Tests that every listed test has a short reason, and is listed once.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const entries = JSON.parse(readFileSync(new URL('on-purpose.json', import.meta.url), 'utf8'));

test('every entry names a test and gives a reason of one line', () => {
  for (const { file, test: name, reason } of entries) {
    expect(file).toMatch(/^test\/.+\.test\.m?js$/);
    expect(name).not.toBe('');
    expect(reason).toMatch(/^[A-Z].{30,300}\.$/);
  }
});

test('no test has two entries', () => {
  const keys = entries.map(({ file, test: name }) => `${file}: ${name}`);
  expect(new Set(keys).size).toBe(keys.length);
});
