import { expect, test } from 'vitest';
import { checkTypescript } from './check-typescript.ts';

const at = (version: string, typescript: unknown = undefined, options = '') => ({
  version,
  typescript,
  options,
});

for (const [file, runtime] of [
  ['app.js', at('20.19.0')],
  ['app.ts', at('22.18.0', 'strip')],
  ['app.mts', at('26.0.0', 'strip')],
  ['app.ts', at('22.7.0', undefined, '--experimental-strip-types')],
  ['app.ts', at('20.19.0', undefined, '--import tsx')],
] as const) {
  test(`${file} runs on Node ${runtime.version} ${runtime.options}`, () => {
    expect(() => checkTypescript(file, file, runtime)).not.toThrow();
  });
}

for (const [file, runtime, remedy] of [
  ['app.ts', at('20.19.0'), 'Use Node 22.18 or newer, or compile it and name the JavaScript.'],
  ['app.cts', at('22.5.0'), 'Use Node 22.18 or newer, or compile it and name the JavaScript.'],
  [
    'app.ts',
    at('22.17.0', false),
    'Use Node 22.18 or newer, or set NODE_OPTIONS=--experimental-strip-types.',
  ],
] as const) {
  test(`${file} on Node ${runtime.version}: ${remedy}`, () => {
    expect(() => checkTypescript(file, file, runtime)).toThrow(
      `${file}: Node ${runtime.version} does not run TypeScript. ${remedy}`,
    );
  });
}
