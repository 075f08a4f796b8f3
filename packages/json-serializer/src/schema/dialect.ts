/** Owns the dialects of JSON Schema: which keywords each has, and which one a schema is written in. */
import type { SchemaObject } from '../json-schema.ts';
import { type KeywordRule, keywordRules, laterRules } from './keyword-rules.ts';
import { inner, inPlace, type KeywordContent, laterInner, laterInPlace } from './subschemas.ts';

/** Names of dialects, as options have them. */
export type DialectName = 'draft-07' | '2020-12';

export interface Dialect {
  readonly name: DialectName;
  /** What a keyword may hold, where that is no schema. */
  readonly rules: ReadonlyMap<string, KeywordRule>;
  /** What stands under a keyword that holds schemas. */
  readonly inner: ReadonlyMap<string, KeywordContent>;
  /** Keywords whose schemas apply to the same value as the schema that holds them. */
  readonly inPlace: ReadonlySet<string>;
}

const dialects: Readonly<Record<DialectName, Dialect>> = {
  'draft-07': { name: 'draft-07', rules: keywordRules, inner, inPlace },
  '2020-12': { name: '2020-12', rules: laterRules, inner: laterInner, inPlace: laterInPlace },
};

const dialectNames: readonly DialectName[] = ['draft-07', '2020-12'];

/** @throws {TypeError} for a dialect that there is not. */
export function dialectNamed(name: DialectName): Dialect {
  if (dialectNames.includes(name)) return dialects[name];
  throw new TypeError(`dialect must be one of ${dialectNames.join(', ')}; got ${JSON.stringify(name)}`);
}

/** The dialect that a schema says it is written in by `$schema`, or else that of what it stands in. */
export function dialectOf({ $schema }: SchemaObject, around: Dialect): Dialect {
  if (typeof $schema !== 'string') return around;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test($schema)) return dialects['2020-12'];
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema) ? dialects['draft-07'] : around;
}
