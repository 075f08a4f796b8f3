import { expect, test } from 'vitest';
import { canRewriteLine, hasColors } from './terminal.ts';

const terminal = { isTTY: true };
const pipe = {};

for (const [what, stream, env, expected] of [
  ['a terminal has colours', terminal, {}, true],
  ['a pipe has none', pipe, {}, false],
  ['NO_COLOR takes them from a terminal', terminal, { NO_COLOR: '1' }, false],
  ['an empty NO_COLOR does not', terminal, { NO_COLOR: '' }, true],
  ['FORCE_COLOR wins over NO_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['FORCE_COLOR=false takes them from a terminal', terminal, { FORCE_COLOR: 'false' }, false],
  ['a dumb terminal has none', terminal, { TERM: 'dumb' }, false],
] as const) {
  test(what, () => expect(hasColors(stream, env)).toBe(expected));
}

for (const [what, stream, env, expected] of [
  ['a line moves on a terminal', terminal, {}, true],
  ['a line does not move in a pipe', pipe, {}, false],
  ['a line does not move in CI', terminal, { CI: 'true' }, false],
  ['a line does not move on a dumb terminal', terminal, { TERM: 'dumb' }, false],
] as const) {
  test(what, () => expect(canRewriteLine(stream, env)).toBe(expected));
}
