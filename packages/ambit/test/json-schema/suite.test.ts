/**
 * The official JSON Schema Test Suite through routes, for both dialects: a route validates as Ajv alone does, and mostly as the suite says;
 * it serializes every value that is valid where the schema says its type.
 */
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { ambit, type SchemaDialect } from 'ambit';
import { describe, expect, test } from 'vitest';
import {
  metaSchemas,
  type RemoteSchema,
  remoteSchemas,
  type SuiteGroup,
  suiteGroups,
} from '../../../json-serializer/test/json-schema-test-suite/suite.ts';
import { addExactMultiples } from '../../../json-validator/src/ajv-keywords.ts';
import { ajvDifferences } from './ajv-differences.ts';

/** Whether a value is valid; `overflows` where Ajv recurses for ever. */
type Verdict = boolean | 'overflows';
/** A verdict for each case of each group; `undefined` for a group whose schema does not compile. */
type Verdicts = readonly (readonly Verdict[] | undefined)[];

const verdictOf: Readonly<Record<number, Verdict>> = { 200: true, 400: false, 500: 'overflows' };

/** Only the option that may be on by default: here, data is to be left as it is. */
const exact = {
  strict: false,
  coerceTypes: false,
  useDefaults: false,
  removeAdditional: false,
  logger: false,
};

function isNamed({ schema }: SuiteGroup): boolean {
  return /"\$(?:id|anchor|dynamic\w+)":|"\$ref":"[^#]/.test(JSON.stringify(schema));
}

/** Groups whose schemas have names, or refer to others, are alone: names would collide. */
function partition(groups: readonly SuiteGroup[]): SuiteGroup[][] {
  return [groups.filter((group) => !isNamed(group)), ...groups.filter(isNamed).map((group) => [group])];
}

/** Only what the groups reach: every shared schema must compile. */
function remotesOf(groups: readonly SuiteGroup[], remotes: readonly RemoteSchema[]): object[] {
  const text = JSON.stringify(groups.map(({ schema }) => schema));
  const isReached = ({ uri }: RemoteSchema): boolean =>
    text.includes('localhost:1234') ||
    text.includes(uri) ||
    text.includes('urn:uuid:feebdaed') ||
    // The parts of a meta-schema refer to one another.
    (uri.includes('json-schema.org') && text.includes('json-schema.org'));
  return remotes.filter(isReached).map(({ uri, schema }) => ({ $id: uri, ...Object(schema) }));
}

async function routeVerdicts(
  dialect: SchemaDialect,
  groups: readonly SuiteGroup[],
  validateFormats: boolean,
): Promise<Verdicts> {
  const app = ambit({
    ajv: { dialect, customOptions: { ...exact, validateFormats } },
    onProtoPoisoning: 'ignore',
    onConstructorPoisoning: 'ignore',
  });
  for (const remote of remotesOf(groups, remoteSchemas(dialect))) app.addSchema(remote as never);
  for (const [at, { schema }] of groups.entries())
    app.post(`/${at}`, { schema: { body: schema as never } }, () => 'ok');
  const error: unknown = await app.ready().then(
    () => undefined,
    (reason) => reason,
  );
  if (error !== undefined) {
    if (groups.length === 1) return [undefined];
    const alone = groups.map((group) => routeVerdicts(dialect, [group], validateFormats));
    return (await Promise.all(alone)).flat();
  }
  const headers = { 'content-type': 'application/json' };
  const ask = async (at: number, data: unknown): Promise<Verdict> => {
    const payload = JSON.stringify(data);
    const { statusCode } = await app.inject({ method: 'POST', url: `/${at}`, headers, payload });
    return verdictOf[statusCode]!;
  };
  return Promise.all(
    groups.map(({ tests }, at) => Promise.all(tests.map(({ data }) => ask(at, structuredClone(data))))),
  );
}

/** One engine for all groups without names, because each engine compiles the meta-schema first. */
const unnamedEngines = new Map<string, Ajv>();

function engineFor(dialect: SchemaDialect, group: SuiteGroup, validateFormats: boolean): Ajv {
  const key = `${dialect} ${validateFormats}`;
  const known = isNamed(group) ? undefined : unnamedEngines.get(key);
  if (known !== undefined) return known;
  const Engine = dialect === '2020-12' ? Ajv2020 : Ajv;
  // A route looks at own properties where a schema has a name such as `toString`.
  const ajv = new Engine({ ...exact, ownProperties: true, logger: false, validateFormats });
  addFormatsModule.default(ajv);
  addExactMultiples(ajv);
  if (!isNamed(group)) unnamedEngines.set(key, ajv);
  return ajv;
}

function ajvVerdicts(dialect: SchemaDialect, group: SuiteGroup, validateFormats: boolean): Verdicts[number] {
  const ajv = engineFor(dialect, group, validateFormats);
  try {
    for (const remote of remotesOf([group], remoteSchemas(dialect))) ajv.addSchema(remote);
    const validate = ajv.compile(group.schema);
    return group.tests.map(({ data }) => runAjv(validate, data));
  } catch {
    return undefined;
  }
}

function runAjv(validate: (data: unknown) => boolean, data: unknown): Verdict {
  try {
    return validate(data);
  } catch {
    return 'overflows';
  }
}

function groupByFile(groups: readonly SuiteGroup[]): Map<string, SuiteGroup[]> {
  const byFile = new Map<string, SuiteGroup[]>();
  for (const group of groups) byFile.set(group.file, [...(byFile.get(group.file) ?? []), group]);
  return byFile;
}

for (const dialect of ['draft-07', '2020-12'] as const) {
  describe(`by ${dialect}, a route validates as Ajv does, and but for what is listed as the suite says:`, () => {
    for (const [file, inFile] of groupByFile(suiteGroups(dialect))) {
      test(file, async () => {
        const hasFormats = file.startsWith('optional/format/');
        const groups = partition(inFile).flat();
        const parts = partition(inFile).map((part) => routeVerdicts(dialect, part, hasFormats));
        const verdicts = (await Promise.all(parts)).flat();
        expect(verdicts).toEqual(groups.map((group) => ajvVerdicts(dialect, group, hasFormats)));
        const differing = groups.filter(
          ({ tests }, at) => !tests.every(({ valid }, i) => verdicts[at]?.[i] === valid),
        );
        expect(differing.map(({ description }) => description).sort()).toEqual(
          [...(ajvDifferences[dialect][file] ?? [])].sort(),
        );
      });
    }
  });
}

/** The valid values of each group as its route sends them; `undefined` for one that is not answered 200. */
async function sentValues(dialect: SchemaDialect, groups: readonly SuiteGroup[]): Promise<unknown[][]> {
  const app = ambit({ ajv: { dialect } });
  const shared = [...remoteSchemas(dialect), ...metaSchemas(dialect)];
  for (const remote of remotesOf(groups, shared)) app.addSchema(remote as never);
  for (const [at, group] of groups.entries())
    app.get(
      `/${at}/:value`,
      { schema: { response: { 200: group.schema as never } } },
      ({ params }, reply) => {
        const value = validValues(group)[Number((params as { value: string }).value)];
        // A string that is sent is text already.
        reply.type('application/json').send(reply.serialize(value) as never);
      },
    );
  const send = async (url: string): Promise<unknown> => {
    const reply = await app.inject(url);
    return reply.statusCode === 200 ? reply.json() : undefined;
  };
  return Promise.all(
    groups.map((group, at) => Promise.all(validValues(group).map((_, value) => send(`/${at}/${value}`)))),
  );
}

function validValues({ tests }: SuiteGroup): unknown[] {
  return tests.filter(({ valid }) => valid).map(({ data }) => data);
}

/** Whether a value is another one, but for properties that were left out of objects. */
function isProjection(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole))
    return part.length === whole.length && part.every((item, at) => isProjection(item, whole[at]));
  if (typeof part !== 'object' || typeof whole !== 'object' || part === null || whole === null)
    return Object.is(part, whole);
  return Object.entries(part).every(
    ([name, inner]) => Object.hasOwn(whole, name) && isProjection(inner, (whole as never)[name]),
  );
}

/** Groups that refer to a shared schema by another URI than its `$id`, or in which an unknown keyword has an `$id`. */
const unaddressable = ['remote HTTP ref with different $id', 'remote HTTP ref with different URN $id'];

async function writtenOtherwise(
  dialect: SchemaDialect,
  isRight: (sent: unknown, value: unknown) => boolean,
): Promise<string[]> {
  const groups = suiteGroups(dialect).filter(
    ({ file, description }) => file !== 'optional/unknownKeyword' && !unaddressable.includes(description),
  );
  const withValues = groups.filter((group) => validValues(group).length > 0);
  const parts = partition(withValues).map(async (part) => {
    const sent = await sentValues(dialect, part);
    return part.filter((group, at) => validValues(group).some((value, i) => !isRight(sent[at]![i], value)));
  });
  const wrong = new Set((await Promise.all(parts)).flat());
  return groups.filter((group) => wrong.has(group)).map(({ file, description }) => `${file}: ${description}`);
}

test('by 2020-12, a route sends every value that its response schema accepts, but for undeclared properties', async () => {
  const wrong = await writtenOtherwise('2020-12', isProjection);
  // Here a default is written for a property that is missing.
  expect(wrong).toEqual([
    'default: invalid type for default',
    'default: invalid string value for default',
    'default: the default keyword does not do anything if the property is missing',
    'defs: validate definition against metaschema',
    'ref: remote ref, containing refs itself',
  ]);
});

test('by draft 7, a route sends every value that its response schema accepts, where the schema has a type', async () => {
  const isSent = (sent: unknown): boolean => sent !== undefined;
  // Without one, keywords imply a type in draft 7, as in fast-json-stringify: `minimum` a number, `items` an array, `required` an object.
  expect(await writtenOtherwise('draft-07', isSent)).toEqual([
    'additionalItems: additionalItems as false without items',
    'additionalItems: additionalItems are allowed by default',
    'contains: contains keyword validation',
    'contains: contains keyword with boolean schema false',
    'exclusiveMaximum: exclusiveMaximum validation',
    'exclusiveMinimum: exclusiveMinimum validation',
    'items: a schema given for items',
    'items: an array of schemas for items',
    'maxItems: maxItems validation',
    'maximum: maximum validation',
    'minItems: minItems validation',
    'minimum: minimum validation',
    'minimum: minimum validation with signed integer',
    'multipleOf: by int',
    'required: required validation',
    'required: required properties whose names are Javascript object property names',
    'uniqueItems: uniqueItems with an array of items',
    'uniqueItems: uniqueItems=false with an array of items',
  ]);
});
