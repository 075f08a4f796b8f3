// Proves that the compiler's report is read correctly, and that an error is never read as a figure.
import { expect, test } from 'vitest';
import { readDiagnostics } from './measure.mjs';

const output = `Instantiations: 2179373
Memory used:    648192K
Check time:      2.333s
Total time:      2.490s
`;

test('seconds, instantiations and memory are read', () => {
  expect(readDiagnostics(output)).toEqual({
    'check s': 2.333,
    'total s': 2.49,
    instantiations: 2179373,
    MB: 633,
  });
});

test('the first error of a program is the failure', () => {
  const errors =
    'a.ts(3,1): error TS2589: Type instantiation is excessively deep.\na.ts(9,1): error TS2322: no.\n';
  expect(readDiagnostics(errors + output)).toEqual({
    failure: 'TS2589: Type instantiation is excessively deep.',
  });
  expect(readDiagnostics('').failure).toBe('nothing after 180 s');
});

test('output without a figure is rejected', () => {
  expect(() => readDiagnostics('Check time: 1.0s')).toThrow("the compiler does not report 'Total time'");
});
