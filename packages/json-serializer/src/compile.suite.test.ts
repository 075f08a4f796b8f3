/** The official JSON Schema Test Suite: what the serializer writes for the values that a schema accepts. */
import type { JsonSchema } from '@ambit/json-schema';
import { expect, test } from 'vitest';
import { fromSource } from '../test/from-source.ts';
import {
  metaSchemas,
  remoteSchemas,
  type SuiteDialect,
  type SuiteGroup,
  suiteGroups,
} from '../test/json-schema-test-suite/suite.ts';
import { askOracle } from '../test/oracle.ts';
import { compile } from './compile.ts';
import type { Serializer } from './serializer.ts';

function refsOf(dialect: SuiteDialect): Record<string, JsonSchema> {
  const all = [...remoteSchemas(dialect), ...metaSchemas(dialect)];
  return Object.fromEntries(all.map(({ uri, schema }) => [uri, schema]));
}

/** An `$id` below an unknown keyword counts here, as it does for Ajv. */
const excepted = 'optional/unknownKeyword';

/** A compiled group with the values that its schema accepts. */
interface Accepted {
  readonly title: string;
  readonly write: Serializer;
  readonly schema: SuiteGroup['schema'];
  readonly values: readonly unknown[];
}

function acceptedBy(dialect: SuiteDialect, make: typeof compile): Accepted[] {
  const refs = refsOf(dialect);
  return suiteGroups(dialect)
    .filter(({ file }) => file !== excepted)
    .map(({ file, description, schema, tests }) => ({
      title: `${file}: ${description}`,
      schema,
      values: tests.filter(({ valid }) => valid).map(({ data }) => data),
    }))
    .filter(({ values }) => values.length > 0)
    .map((group) => ({ ...group, write: make(group.schema, { refs, dialect }) }));
}

/** Whether a value is another one, without some of the properties of its objects. */
function isProjection(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole))
    return part.length === whole.length && part.every((item, i) => isProjection(item, whole[i]));
  if (typeof part !== 'object' || typeof whole !== 'object' || part === null || whole === null)
    return Object.is(part, whole);
  return Object.entries(part).every(
    ([name, inner]) => Object.hasOwn(whole, name) && isProjection(inner, (whole as never)[name]),
  );
}

/** Groups in which something is dropped: the properties of an object are those that the schema declares where it is first used. */
const undeclared = [
  'additionalProperties: additionalProperties are allowed by default',
  'anyOf: anyOf complex types',
  'dependentSchemas: dependent subschema incompatible with root',
  'dynamicRef: A $dynamicRef that initially resolves to a schema without a matching $dynamicAnchor behaves like a normal $ref to $anchor',
  'dynamicRef: multiple dynamic paths to the $dynamicRef keyword',
  'items: items and subitems',
  'not: forbidden property',
  'oneOf: oneOf with required',
  'patternProperties: regexes are not anchored by default and are case sensitive',
  'patternProperties: patternProperties with Unicode property escape',
  'properties: object properties validation',
  'type: type: array or object',
  'type: type: array, object or null',
  'unevaluatedProperties: unevaluatedProperties with anyOf',
  'unevaluatedProperties: unevaluatedProperties with if/then/else',
  'unevaluatedProperties: unevaluatedProperties with if/then/else, then not defined',
  'unevaluatedProperties: unevaluatedProperties with if/then/else, else not defined',
  'unevaluatedProperties: unevaluatedProperties can see annotations from if without then and else',
];

/** Groups in which a default is written for what is missing. */
const filledIn = [
  'default: invalid type for default',
  'default: invalid string value for default',
  'default: the default keyword does not do anything if the property is missing',
  'defs: validate definition against metaschema',
  'ref: remote ref, containing refs itself',
];

for (const make of [compile, fromSource]) {
  test(`2020-12: a value that matches a schema is written unchanged, except for undeclared properties: ${make.name}`, () => {
    const dropping = new Set<string>();
    const filling = new Set<string>();
    for (const { title, write, values } of acceptedBy('2020-12', make)) {
      for (const value of values) {
        const written: unknown = JSON.parse(write(value));
        if (!isProjection(written, value)) filling.add(title);
        else if (!isProjection(value, written)) dropping.add(title);
      }
    }
    expect([...dropping]).toEqual(undeclared);
    expect([...filling]).toEqual(filledIn);
  });
}

test('draft 7: a value that matches a schema is written like the oracle, if the oracle writes it unchanged', () => {
  const refs = refsOf('draft-07');
  const different: string[] = [];
  let count = 0;
  for (const { title, write, schema, values } of acceptedBy('draft-07', compile)) {
    for (const value of values) {
      const text = JSON.stringify(value);
      if (askOracle(schema, value, refs) !== text) continue;
      count++;
      if (write(value) !== text) different.push(`${title}: ${text}`);
    }
  }
  expect(different).toEqual([]);
  expect(count).toBe(798);
});

/** A serializer that says whether a value is valid: its branch is chosen by the schema. */
function verdictOf(schema: SuiteGroup['schema'], dialect: SuiteDialect): Serializer {
  const tested = typeof schema === 'boolean' ? { allOf: [schema] } : schema;
  const { $id = 'tested' } = tested as { $id?: string };
  const branches = Object.fromEntries([
    ['if', { $ref: $id }],
    ['then', { const: true }],
    ['else', { const: false }],
  ]);
  return compile(branches, { dialect, refs: { ...refsOf(dialect), [$id.replace(/#$/, '')]: tested } });
}

/** Here, keywords next to a `$ref` of draft 7 count, as for Ajv; contents, overflows and vocabularies are not checked. */
const differences = [
  'optional/content: validation of string-encoded content based on media type',
  'optional/content: validation of binary string-encoding',
  'optional/content: validation of binary-encoded media type documents',
  'ref: ref overrides any sibling keywords',
];
const laterDifferences = [
  'vocabulary: schema that uses custom metaschema with with no validation vocabulary',
];
/** Groups whose schemas are rejected, as by Ajv. */
const refused = 'empty enum';

for (const [dialect, expected] of [
  ['draft-07', differences],
  ['2020-12', laterDifferences],
] as const) {
  test(`a branch is selected exactly for values that are valid in the suite: ${dialect}`, () => {
    const groups = suiteGroups(dialect).filter(
      ({ file, description }) => file !== excepted && !file.includes('format') && description !== refused,
    );
    const differing = groups.filter(({ schema, tests }) => {
      const choose = verdictOf(schema, dialect);
      return tests.some(({ data, valid }) => choose(data) !== String(valid));
    });
    expect(differing.map(({ file, description }) => `${file}: ${description}`)).toEqual(expected);
  });
}
