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

const quiet = { strict: false, logger: false, validateFormats: false } as const;

type Validate = (value: unknown) => unknown;

const sharedBy: Readonly<Record<SuiteDialect, readonly RemoteSchema[]>> = {
  'draft-07': [...remoteSchemas('draft-07'), ...metaSchemas('draft-07')],
  '2020-12': [...remoteSchemas('2020-12'), ...metaSchemas('2020-12')],
};

/** What a schema may refer to; most refer to nothing, and take long with all of that. */
function sharedOf(dialect: SuiteDialect, schema: SuiteGroup['schema']): AnySchemaObject[] {
  const isClosed = !/localhost|"\$(?:id|ref)":"[^#]/.test(JSON.stringify(schema));
  const all = isClosed ? [] : structuredClone(sharedBy[dialect]);
  return all.flatMap(({ uri, schema }) => (typeof schema === 'boolean' ? [] : [{ ...schema, $id: uri }]));
}

/** Undefined where Ajv does not compile the schema. */
function byRoute(dialect: SuiteDialect, schema: SuiteGroup['schema']): Validate | undefined {
  const ajv = dialect === '2020-12' ? new Ajv2020(quiet) : new Ajv(quiet);
  for (const shared of sharedOf(dialect, schema))
    if (ajv.getSchema(shared.$id!) === undefined) ajv.addSchema(shared);
  try {
    return ajv.compile(structuredClone(schema));
  } catch {
    return undefined;
  }
}

async function byDocument(dialect: SuiteDialect, schema: SuiteGroup['schema']): Promise<Validate> {
  const app = ambit({ ajv: { dialect } });
  // The document is made of the schemas as they are: nothing here is validated by the application.
  app.setValidatorCompiler(() => () => true);
  for (const shared of sharedOf(dialect, schema)) app.addSchema(shared);
  app.post('/x', { schema: { body: schema as object } }, () => '');
  const { paths, components } = await toOpenAPI(app, { errors: false });
  const { post } = paths['/x'] as {
    post: { requestBody: { content: Record<string, { schema: AnySchemaObject }> } };
  };
  const described = post.requestBody.content['application/json']!.schema;
  return new Ajv2020(quiet).compile({ allOf: [described], components: components ?? {} });
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
        const differing: string[] = [];
        for (const { description, schema, tests } of groups) {
          const route = byRoute(dialect, schema);
          const document = route && (await byDocument(dialect, schema));
          if (tests.some(({ data }) => verdict(document, data) !== verdict(route, data)))
            differing.push(description);
        }
        expect(differing).toEqual([]);
      });
    }
  });
}

describe('with `$dynamicRef`, a value is valid by the document exactly when the suite says so:', () => {
  for (const group of suiteGroups('2020-12').filter(isDynamic)) {
    test(`${group.file}: ${group.description}`, async () => {
      const document = await byDocument('2020-12', group.schema);
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
