/** The official JSON Schema Test Suite: a value is valid by the document exactly when it is by the schema of the route. */
import { toOpenAPI } from '@ambit/openapi';
import { Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ambit } from 'ambit';
import { describe, expect, test } from 'vitest';
import {
  metaSchemas,
  type RemoteSchema,
  remoteSchemas,
  type SuiteDialect,
  type SuiteGroup,
  suiteGroups,
} from '../../../json-serializer/test/json-schema-test-suite/suite.ts';

/** The schemas of the suite are valid, and checking that would take most of the time. */
const quiet = { strict: false, logger: false, validateFormats: false, validateSchema: false } as const;

type Validate = (value: unknown) => unknown;

const sharedBy: Readonly<Record<SuiteDialect, readonly RemoteSchema[]>> = {
  'draft-07': [...remoteSchemas('draft-07'), ...metaSchemas('draft-07')],
  '2020-12': [...remoteSchemas('2020-12'), ...metaSchemas('2020-12')],
};

/** Whether a schema refers to itself only, so that it can stand beside others in one application. */
function isClosed({ schema }: SuiteGroup): boolean {
  return !/localhost|"\$(?:id|ref)":"[^#]/.test(JSON.stringify(schema));
}

/** What a schema that is not closed may refer to. */
function sharedOf(dialect: SuiteDialect): AnySchemaObject[] {
  return structuredClone(sharedBy[dialect]).flatMap(({ uri, schema }) =>
    typeof schema === 'boolean' ? [] : [{ ...schema, $id: uri }],
  );
}

const engines = { 'draft-07': new Ajv(quiet), '2020-12': new Ajv2020(quiet) };

/** One for all schemas that refer to themselves only: making it takes longer than to compile most of them. */
function engineFor(dialect: SuiteDialect, group: SuiteGroup): Ajv {
  if (isClosed(group)) return engines[dialect];
  return dialect === '2020-12' ? new Ajv2020(quiet) : new Ajv(quiet);
}

/** Undefined where Ajv does not compile the schema. */
function byRoute(dialect: SuiteDialect, group: SuiteGroup): Validate | undefined {
  const ajv = engineFor(dialect, group);
  const shared = isClosed(group) ? [] : sharedOf(dialect);
  for (const schema of shared) if (ajv.getSchema(schema.$id!) === undefined) ajv.addSchema(schema);
  try {
    return ajv.compile(structuredClone(group.schema));
  } catch {
    return undefined;
  }
}

/** The validators of the document of one application, which has a route for each group. */
async function byDocument(
  dialect: SuiteDialect,
  groups: readonly SuiteGroup[],
): Promise<Map<SuiteGroup, Validate>> {
  const app = ambit({ ajv: { dialect } });
  // The document is made of the schemas as they are: nothing here is validated by the application.
  app.setValidatorCompiler(() => () => true);
  const shared = groups.every(isClosed) ? [] : sharedOf(dialect);
  for (const schema of shared) app.addSchema(schema);
  for (const [at, { schema }] of groups.entries())
    app.post(`/${at}`, { schema: { body: schema as object } }, () => '');
  const { paths, components } = await toOpenAPI(app, { errors: false });
  const describedAt = (at: number): AnySchemaObject => {
    const { post } = paths[`/${at}`] as {
      post: { requestBody: { content: Record<string, { schema: AnySchemaObject }> } };
    };
    return post.requestBody.content['application/json']!.schema;
  };
  return new Map(
    groups.map((group, at) => {
      const schema = { allOf: [describedAt(at)], components: components ?? {} };
      return [group, engineFor('2020-12', group).compile(schema)];
    }),
  );
}

function verdict(validate: Validate | undefined, value: unknown): unknown {
  try {
    return validate?.(value);
  } catch (error) {
    return (error as Error).message;
  }
}

/** Ajv resolves `$dynamicRef` only in part, so that these groups are compared with what the suite says. */
function isDynamic({ file, schema }: SuiteGroup): boolean {
  return (
    /dynamicRef/.test(file) || /\$dynamicRef|"\$ref":"[^"]*2020-12\/schema"/.test(JSON.stringify(schema))
  );
}

function groupsByFile(dialect: SuiteDialect): [file: string, groups: SuiteGroup[]][] {
  const byFile = new Map<string, SuiteGroup[]>();
  for (const group of suiteGroups(dialect).filter((each) => !isDynamic(each)))
    byFile.set(group.file, [...(byFile.get(group.file) ?? []), group]);
  return [...byFile];
}

for (const dialect of ['draft-07', '2020-12'] as const) {
  describe(`in ${dialect}, a value is valid by the document exactly when it is by the schema of the route:`, () => {
    for (const [file, groups] of groupsByFile(dialect)) {
      test(file, async () => {
        const routes = new Map(groups.map((group) => [group, byRoute(dialect, group)]));
        const compiled = groups.filter((group) => routes.get(group) !== undefined);
        const alone = compiled.filter((group) => !isClosed(group)).map((group) => [group]);
        const parts = [compiled.filter(isClosed), ...alone];
        const documents = (await Promise.all(parts.map((part) => byDocument(dialect, part)))).flatMap(
          (part) => [...part],
        );
        const differing = documents.filter(([group, document]) =>
          group.tests.some(({ data }) => verdict(document, data) !== verdict(routes.get(group), data)),
        );
        expect(differing.map(([{ description }]) => description)).toEqual([]);
        expect(documents).toHaveLength(compiled.length);
      });
    }
  });
}

describe('with `$dynamicRef`, a value is valid by the document exactly when the suite says so:', () => {
  for (const group of suiteGroups('2020-12').filter(isDynamic)) {
    test(`${group.file}: ${group.description}`, async () => {
      const document = (await byDocument('2020-12', [group])).get(group);
      const verdicts = group.tests.map(({ description, data }) => [description, verdict(document, data)]);
      expect(verdicts).toEqual(group.tests.map(({ description, valid }) => [description, valid]));
    });
  }
});

test('an unknown dialect is rejected', async () => {
  await expect(toOpenAPI(ambit(), { dialect: '2019-09' as never })).rejects.toThrow(
    'toOpenAPI: dialect must be draft-07 or 2020-12, instead got 2019-09',
  );
});
