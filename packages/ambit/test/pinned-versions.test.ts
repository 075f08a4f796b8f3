/**
 * The libraries whose undocumented behavior the framework depends on are pinned exactly. If one of them is updated, a test here fails: its
 * title says what to check in the new version before you change the version below.
 */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);

const pins: [name: string, version: string, owner: string, checkAgain: string][] = [
  [
    'ajv',
    '8.20.0',
    'json-validator',
    'schema-precheck.ts mirrors its strict mode and its recursion, ajv-keywords.ts and trials.ts wrap the code of its keywords, trials.ts writes in two contexts, validator-source.ts reads `source`, ajv-compiler.ts takes the prototype from `schemas` and `refs`, explain-failure.ts reads its messages (schema-places.test.ts has them)',
  ],
  ['ajv-formats', '3.0.1', 'json-validator', 'schema-precheck.ts lists its formats'],
  ['find-my-way', '9.10.1', 'ambit', 'without-codegen.ts replaces methods of its private classes'],
];
for (const [name, version, owner, checkAgain] of pins) {
  test(`${name} is pinned and installed as ${version}; when it moves, check again: ${checkAgain}`, () => {
    const { dependencies } = require(`../../${owner}/package.json`);
    expect(dependencies[name]).toBe(version);
    expect(require(`${name}/package.json`).version).toBe(version);
  });
}
