/** The dialects of JSON Schema: their keywords, and which dialect a schema has. */
import { type Keyword, keywords } from './keywords.ts';
import type { DialectName, SharedSchemas } from './schema.ts';

/** One dialect. */
export interface Dialect {
  /** Its name in options. */
  readonly name: DialectName;
  /** The keywords that it defines. 2020-12 has those of draft 7 that Ajv still supports there. */
  readonly keywords: ReadonlyMap<string, Keyword>;
}

/** The dialect of schemas that name none. */
export const defaultDialect: DialectName = 'draft-07';

const dialects: Readonly<Record<DialectName, Dialect>> = {
  'draft-07': { name: 'draft-07', keywords: keywordsOf('draft-07') },
  '2020-12': {
    name: '2020-12',
    // A list of schemas is called `prefixItems`.
    keywords: new Map([...keywordsOf('2020-12'), ['items', { contains: 'schema', appliesTo: 'items' }]]),
  },
};

function keywordsOf(dialect: DialectName): Map<string, Keyword> {
  return new Map([...keywords].filter(([, { only = dialect }]) => only === dialect));
}

/**
 * The dialect with a name.
 * @param name Its name.
 * @throws {TypeError} for an unknown dialect.
 */
export function dialectNamed(name: DialectName): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name];
  const names = Object.keys(dialects).join(', ');
  throw new TypeError(`dialect must be one of ${names}; got ${JSON.stringify(name)}`);
}

/**
 * The dialect that `$schema` of a schema names; `undefined` without `$schema`, or if it names another meta-schema.
 *
 * @param schema The schema; anything else declares none.
 */
export function declaredDialect(schema: unknown): DialectName | undefined {
  const { $schema } = Object(schema) as { $schema?: unknown };
  if (typeof $schema !== 'string') return undefined;
  if (/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test($schema)) return '2020-12';
  return /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema) ? 'draft-07' : undefined;
}

/**
 * The dialect that a schema declares; otherwise the dialect of the schema around it.
 *
 * @param schema The schema.
 * @param around The dialect of the schema around it.
 */
export function dialectOf(schema: unknown, around: Dialect): Dialect {
  const declared = declaredDialect(schema);
  return declared === undefined ? around : dialects[declared];
}

/**
 * The dialect that is closest to the one that `$schema` names, which may be an older draft; otherwise the default.
 *
 * @param schema The schema.
 * @param otherwise The default.
 */
export function nearestDialect(schema: unknown, otherwise: DialectName): DialectName {
  const { $schema } = Object(schema) as { $schema?: unknown };
  if (typeof $schema !== 'string') return otherwise;
  if (/20(?:19-09|20-12)/.test($schema)) return '2020-12';
  return $schema.includes('json-schema.org/draft-0') ? 'draft-07' : otherwise;
}

/** Whether a shared schema declares its dialect, so that references may lead to another dialect. @param shared The shared schemas. */
export function haveDeclaredDialects(shared: SharedSchemas): boolean {
  return Object.values(shared).some((schema) => declaredDialect(schema) !== undefined);
}

/**
 * The shared schemas that schemas of a dialect may refer to: those that declare this dialect, and those that declare none.
 *
 * @param dialect The dialect.
 * @param shared The shared schemas.
 */
export function sharedFor<Shared extends SharedSchemas>(dialect: DialectName, shared: Shared): Shared {
  const entries = Object.entries(shared);
  const visible = entries.filter(([, schema]) => (declaredDialect(schema) ?? dialect) === dialect);
  return visible.length === entries.length ? shared : (Object.fromEntries(visible) as Shared);
}
