/** The dialects of JSON Schema: their keywords, and which dialect a schema has. */
import type { SchemaObject } from '../json-schema.ts';
import { draft7Rules, draft2020Rules, type KeywordRule } from './keyword-rules.ts';
import {
  draft7InPlace,
  draft7Subschemas,
  draft2020InPlace,
  draft2020Subschemas,
  type KeywordContent,
} from './subschemas.ts';

/** The names of dialects, as in options. */
export type DialectName = 'draft-07' | '2020-12';

export interface Dialect {
  readonly name: DialectName;
  /** The rules for keywords that do not contain schemas. */
  readonly rules: ReadonlyMap<string, KeywordRule>;
  /** What a keyword contains: a schema, a list of schemas, or schemas by name. */
  readonly subschemas: ReadonlyMap<string, KeywordContent>;
  /** Keywords whose schemas apply to the same value as the schema that contains them. */
  readonly inPlace: ReadonlySet<string>;
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  'draft-07': { name: 'draft-07', rules: draft7Rules, subschemas: draft7Subschemas, inPlace: draft7InPlace },
  '2020-12': {
    name: '2020-12',
    rules: draft2020Rules,
    subschemas: draft2020Subschemas,
    inPlace: draft2020InPlace,
  },
};

const dialectNames: readonly DialectName[] = ['draft-07', '2020-12'];

/** @throws {TypeError} for an unknown dialect. */
export function dialectNamed(name: DialectName): Dialect {
  if (dialectNames.includes(name)) return dialects[name];
  throw new TypeError(`dialect must be one of ${dialectNames.join(', ')}; got ${JSON.stringify(name)}`);
}

/** The dialect that `$schema` of a schema names; otherwise the dialect of the schema around it. */
export function dialectOf({ $schema }: SchemaObject, around: Dialect): Dialect {
  if (typeof $schema !== 'string') return around;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test($schema)) return dialects['2020-12'];
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema) ? dialects['draft-07'] : around;
}
