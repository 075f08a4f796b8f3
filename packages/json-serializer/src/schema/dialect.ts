/** Owns the dialects of JSON Schema: their keywords, and which dialect a schema has. */
import type { SchemaObject } from '../json-schema.ts';
import { type KeywordRule, keywordRules, laterRules } from './keyword-rules.ts';
import { inner, inPlace, type KeywordContent, laterInner, laterInPlace } from './subschemas.ts';

/** The names of dialects, as in options. */
export type DialectName = 'draft-07' | '2020-12';

export interface Dialect {
  readonly name: DialectName;
  /** The values of keywords that do not contain schemas. */
  readonly rules: ReadonlyMap<string, KeywordRule>;
  /** What a keyword contains: a schema, a list of schemas, or schemas by name. */
  readonly inner: ReadonlyMap<string, KeywordContent>;
  /** Keywords whose schemas apply to the same value as the schema that contains them. */
  readonly inPlace: ReadonlySet<string>;
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  'draft-07': { name: 'draft-07', rules: keywordRules, inner, inPlace },
  '2020-12': { name: '2020-12', rules: laterRules, inner: laterInner, inPlace: laterInPlace },
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
