/** Reports on strings, numbers, booleans and constants: whether the text differs from the value. */
import { isEqual } from '@ambit/json-schema';
import { dateText, dateTimeText, timeText } from '../runtime/dates.ts';
import { describe } from '../runtime/describe.ts';
import { toExactNumber, toInteger } from '../runtime/numbers.ts';
import { toStringValue } from '../runtime/strings.ts';
import type { ConstShape, PlainShape, StringShape } from '../shape/shape.ts';
import type { Inspector } from './inspector.ts';

const dateTexts = { date: dateText, time: timeText, 'date-time': dateTimeText };

export function inspectScalar(
  inspector: Inspector,
  shape: ConstShape | StringShape | PlainShape,
  value: unknown,
  path: string,
): void {
  const written = convert(inspector, shape, value);
  // Without a schema, JSON writes a Date as the same string. As a number or a boolean, it is written only here, so this
  // is reported.
  const isSame = isEqual(written, value) || (shape.kind === 'string' && value instanceof Date);
  if (!isSame) inspector.reportCoerced(value, describeWritten(written), path);
}

/** The written text, as a value. Throws if the compiled serializer throws. */
function convert(
  inspector: Inspector,
  shape: ConstShape | StringShape | PlainShape,
  value: unknown,
): unknown {
  switch (shape.kind) {
    case 'const':
      return JSON.parse(shape.text);
    case 'string':
      return shape.format === undefined ? toStringValue(value) : JSON.parse(dateTexts[shape.format](value));
    case 'integer':
      return toInteger(value, inspector.rounding);
    case 'number': {
      const number = toExactNumber(value);
      return typeof number === 'bigint' || Number.isFinite(number) ? number : null;
    }
    case 'boolean':
      return Boolean(value);
    default:
      return null;
  }
}

function describeWritten(written: unknown): string {
  if (typeof written === 'string') return describe(written);
  return typeof written === 'object' ? JSON.stringify(written) : String(written);
}
