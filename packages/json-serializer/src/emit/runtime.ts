/** Owns the names under which generated code finds what it calls. */
import * as dates from '../runtime/dates.ts';
import * as failures from '../runtime/failures.ts';
import { numberText, type Rounding, toInteger, toNumber } from '../runtime/numbers.ts';
import * as strings from '../runtime/strings.ts';
import * as values from '../runtime/values.ts';
import { writesItself } from '../validate/types.ts';

const fixed: Record<string, unknown> = {
  ...dates,
  ...failures,
  ...strings,
  ...values,
  numberText,
  toNumber,
  writesItself,
};
const fixedNames = Object.keys(fixed);

export const runtimeNames: readonly string[] = [...fixedNames, 'integerText', 'toNative'];

/** Values for `runtimeNames`. */
export function createRuntime(rounding: Rounding): unknown[] {
  return [
    ...fixedNames.map((name) => fixed[name]),
    (value: unknown) => `${toInteger(value, rounding)}`,
    (value: unknown) => values.toNativeInteger(toInteger(value, rounding)),
  ];
}
