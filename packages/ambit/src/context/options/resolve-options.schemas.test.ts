// Options of the engines behind schemas.
import { ambit } from 'ambit';
import { expect, test, vi } from 'vitest';

for (const [what, options, code, message] of [
  [
    'a reportSerialization that is text',
    { reportSerialization: 'yes' },
    'FST_ERR_INIT_OPTS_INVALID',
    'reportSerialization must be boolean, instead got string',
  ],
  ['serializerOpts that are text', { serializerOpts: 'ceil' }, 'FST_ERR_INIT_OPTS_INVALID', 'serializerOpts'],
  [
    'a rounding that does not exist',
    { serializerOpts: { rounding: 'up' } },
    'FST_ERR_INIT_OPTS_INVALID',
    "serializerOpts.rounding must be 'ceil' or 'floor' or 'round' or 'trunc', instead got string",
  ],
  [
    'a rounding that is misspelt',
    { serializerOpts: { roundng: 'ceil' } },
    'AMBIT_ERR_UNKNOWN_OPTION',
    "unknown option 'roundng' of serializerOpts; did you mean 'rounding'?",
  ],
] as const) {
  test(`${what} is refused`, () => {
    const refused: unknown = expect.objectContaining({ code, message: expect.stringContaining(message) });
    expect(() => ambit(options as never)).toThrow(refused as Error);
  });
}

test('options of fast-json-stringify, and null, are accepted', () => {
  const serializerOpts = {
    rounding: null as never,
    largeArraySize: 5,
    mode: 'debug',
    ajv: { strict: false },
  };
  expect(() => ambit({ serializerOpts, reportSerialization: null as never })).not.toThrow();
});

for (const [name, value, isWarned] of [
  ['formats', { even: /^(..)*$/ }, true],
  ['keywords', ['even'], true],
  ['coerceTypes', true, true],
  ['coerceTypes', false, false],
  ['strictSchema', true, false],
] as const) {
  test(`serializerOpts.ajv.${name} ${JSON.stringify(value)} causes ${isWarned ? 'a' : 'no'} warning`, () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    ambit({ serializerOpts: { ajv: { [name]: value } } });
    const codes = warn.mock.calls.map(([, details]) => (details as { code?: string }).code);
    warn.mockRestore();
    expect(codes).toEqual(isWarned ? ['AMBWRN001'] : []);
  });
}
