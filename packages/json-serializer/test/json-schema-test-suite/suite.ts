/** The official JSON Schema Test Suite as data: groups of values that a schema accepts or rejects, and the schemas that they refer to. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export type SuiteDialect = 'draft-07' | '2020-12';

export interface SuiteCase {
  readonly description: string;
  readonly data: unknown;
  readonly valid: boolean;
}

/** A schema, and values that it accepts or rejects. */
export interface SuiteGroup {
  /** The file of the suite without its ending: `allOf`, `optional/format/date`. */
  readonly file: string;
  readonly description: string;
  readonly schema: boolean | Readonly<Record<string, unknown>>;
  readonly tests: readonly SuiteCase[];
}

export interface RemoteSchema {
  readonly uri: string;
  readonly schema: boolean | Readonly<Record<string, unknown>>;
}

const files: Readonly<Record<SuiteDialect, string>> = {
  'draft-07': 'draft7.jsonl',
  '2020-12': 'draft2020-12.jsonl',
};

/** The groups of a dialect in the order of the suite; new objects for each call. */
export function suiteGroups(dialect: SuiteDialect): SuiteGroup[] {
  return readLines<SuiteGroup>(files[dialect]);
}

/** The schemas that groups of a dialect refer to by URI. Schemas without a dialect belong to both dialects. */
export function remoteSchemas(dialect: SuiteDialect): RemoteSchema[] {
  const other = dialect === '2020-12' ? '/draft7/' : '/draft2020-12/';
  return readLines<RemoteSchema>('remotes.jsonl').filter(({ uri }) => !uri.includes(other));
}

/** The meta-schemas, by URI. */
export function metaSchemas(dialect: SuiteDialect): RemoteSchema[] {
  const paths =
    dialect === 'draft-07'
      ? ['json-schema-draft-07.json']
      : ['schema', ...vocabularies.map((name) => `meta/${name}`)].map(
          (name) => `json-schema-2020-12/${name}.json`,
        );
  return paths.map((path) => {
    const schema = require(`ajv/dist/refs/${path}`) as { $id: string };
    return { uri: schema.$id.replace(/#$/, ''), schema: schema as unknown as RemoteSchema['schema'] };
  });
}

const vocabularies = [
  'applicator',
  'content',
  'core',
  'format-annotation',
  'meta-data',
  'unevaluated',
  'validation',
];

function readLines<T>(file: string): T[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
