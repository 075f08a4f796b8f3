import { spawnSync } from 'node:child_process';
import type { JsonSchema } from '@ambit/json-schema';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pair } from '../test/arbitraries.ts';
import { evaluate, fromSource } from '../test/from-source.ts';
import { compile, compileToSource } from './compile.ts';
import { load } from './load.ts';
import type { CompileOptions, Serializer } from './serializer.ts';

/** The result for a value: its text, or the error in full. */
function outcome(write: Serializer, value: unknown): object {
  try {
    return { text: write(value) };
  } catch (error) {
    const { name, message, path } = error as Error & { path?: string };
    return { name, message, path };
  }
}

test('source that was loaded writes and fails like compiled code', () => {
  fc.assert(
    fc.property(pair, ([schema, value]) => {
      expect(outcome(fromSource(schema), value)).toEqual(outcome(compile(schema), value));
    }),
    { numRuns: 500 },
  );
});

const user = { $id: 'user', type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const node = { type: 'object', properties: { next: { $ref: '#' }, value: { type: 'number' } } };
const proto = JSON.parse('{"type":"object","properties":{"__proto__":{"default":{"__proto__":1}}}}');
const either = {
  anyOf: [
    { type: 'object', properties: { a: { type: 'string', minLength: 2 } }, required: ['a'] },
    { type: 'object', properties: { b: { type: 'string', pattern: '^x' } }, required: ['b'] },
    true,
  ],
};
const condition = JSON.parse(`{
  "type": "object",
  "if": { "properties": { "kind": { "const": "a" } } },
  "then": { "properties": { "kind": { "type": "string" }, "a": { "type": "string" } } },
  "else": { "properties": { "kind": { "type": "string" }, "b": { "type": "string" } } }
}`);
const patterns = {
  type: 'object',
  properties: { 'a/"b"': { type: 'string' } },
  patternProperties: { '^x/': { type: 'integer' }, '\u2028`': { type: 'string' } },
  additionalProperties: { type: 'boolean' },
};
const dates = {
  type: 'array',
  items: [{ type: 'string', format: 'date-time' }, { type: ['integer', 'null'] }],
};
const constants = { type: 'object', properties: { a: { const: { b: ['`', '\u2028', null] } } } };

const cases: [what: string, schema: JsonSchema, values: unknown[], options?: CompileOptions][] = [
  [
    'a shared schema',
    { type: 'array', items: { $ref: 'user#' } },
    [[{ name: 'ada' }], [{}]],
    { refs: { user } },
  ],
  ['a recursive schema', node, [{ value: 1, next: { value: 2 } }, { next: { value: 'x' } }]],
  ['branches that validation chooses', either, [{ a: 'xx' }, { b: 'xy' }, { a: 'x', b: 'y' }, 1]],
  [
    'a condition',
    condition,
    [
      { kind: 'a', a: 1, b: 1 },
      { kind: 'b', a: 1, b: 1 },
    ],
  ],
  [
    'patterns and further properties',
    patterns,
    [{ 'a/"b"': 1, 'x/1': '2', '\u2028`': 3, z: 1 }, { 'x/': 'y' }],
  ],
  ['dates and tuples', dates, [[new Date(0), null], [new Date(Number.NaN)], [1, 'x'], [1, 2, 3]]],
  ['constants', constants, [{ a: 1 }, {}]],
  ['a property named __proto__', proto, [{}, JSON.parse('{"__proto__":2}')]],
  ['a rounding', { type: 'integer' }, [1.5, -1.5, '2.5', 'x'], { rounding: 'ceil' }],
  ['the schema true', true, [1, undefined, () => 1]],
  ['the schema false', false, [1]],
];
for (const [what, schema, values, options] of cases) {
  test(`${what}: source that was loaded writes and fails like compiled code`, () => {
    const [loaded, compiled] = [fromSource(schema, options), compile(schema, options)];
    for (const value of values) expect(outcome(loaded, value)).toEqual(outcome(compiled, value));
  });
}

test('source that was loaded reports like compiled code', () => {
  const schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const found: string[] = [];
  fromSource(schema, { report: ({ kind, path }) => found.push(`${kind} ${path}`) })({ a: '1', b: 2 });
  expect(found).toEqual(['coerced /a', 'dropped /b']);
});

test('an unknown rounding is rejected', () => {
  const program = evaluate(compileToSource(true));
  expect(() => load(program, true, { rounding: 'up' as never })).toThrow(TypeError);
});

test('a program from another schema is rejected', () => {
  const program = evaluate(compileToSource(either));
  expect(() => load(program, {})({ a: 'xx' })).toThrow('the program was compiled from another schema');
});

test('linking can be scheduled, or done at once', () => {
  const linked: string[] = [];
  const program = evaluate(compileToSource(user));
  const noting =
    (when: string): typeof program =>
    (runtime, predicate) => {
      linked.push(when);
      return program(runtime, predicate);
    };
  const waiting: (() => void)[] = [];
  load(noting('now'), user, { generate: 'now' });
  load(noting('scheduled'), user, { schedule: (generate) => waiting.push(generate) });
  load(noting('never'), user);
  expect(linked).toEqual(['now']);
  for (const generate of waiting) generate();
  expect(linked).toEqual(['now', 'scheduled']);
});

test('an engine that forbids code generation can load source', () => {
  const program = `
    import { load } from '${new URL('../dist/load.cjs', import.meta.url)}';
    const write = load(${compileToSource(either)}, ${JSON.stringify(either)});
    console.log(write({ a: 'xx', b: 'dropped' }), write({ b: 'xy' }));`;
  const args = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(stdout).toBe('{"a":"xx"} {"b":"xy"}\n');
});
