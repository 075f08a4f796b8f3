// Proves that the compiler's report is read correctly, and that an error is never read as a figure.
import { expect, test } from 'vitest';
import { findError, readDiagnostics } from './diagnostics.mjs';

const output = `Files:              180
Types:           547745
Instantiations: 2179373
Memory used:    648192K
Check time:      2.333s
Total time:      2.490s
`;

test('seconds, instantiations and memory are read', () => {
  expect(readDiagnostics(output)).toEqual({
    checkSeconds: 2.333,
    totalSeconds: 2.49,
    instantiations: 2179373,
    memoryMb: 633,
  });
});

test('a program without an error has none', () => {
  expect(findError(output)).toBeUndefined();
});

test('of several errors, the first is returned', () => {
  const errors = `a.ts(3,1): error TS2589: Type instantiation is excessively deep.\na.ts(9,1): error TS2322: no.\n${output}`;
  expect(findError(errors)).toBe('TS2589: Type instantiation is excessively deep.');
});

test('output without a figure is rejected', () => {
  expect(() => readDiagnostics('Check time: 1.0s')).toThrow("the compiler does not report 'Total time'");
});
