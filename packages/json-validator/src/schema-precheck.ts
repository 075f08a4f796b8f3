/**
 * Checks a schema without compiling it: a schema that passes is certain to compile in Ajv without an error or a warning of its strict mode,
 * so its compilation can wait. A schema that does not pass may still be valid: it is compiled at once, and Ajv reports its errors.
 */
import {
  type DialectName,
  declaredDialect,
  defaultDialect,
  isAnnotation,
  isPlainObject,
  type Keyword,
  keywords,
  sharedFor,
} from '@ambit/json-schema';
import { findTried } from './conversion.ts';
import type { SharedSchemas, ValidatorOptions } from './options.ts';

/**
 * The maximum depth of a route's schema, and of the schemas that it refers to. Ajv calls itself for each level, and overflows the stack
 * from 250 to 400 levels on, depending on the Node version, the keyword and how much of the stack is in use.
 */
const maxDepth = 80;
/** How many properties a schema may list if it has `unevaluatedProperties`. */
const maxEvaluatedNames = 200;
/** The most blocks that Ajv opens for one level. The entries of a list are nested in blocks, too, so their blocks are counted as levels. */
const blocksOfLevel = 3;

/** The meta-schemas that Ajv has, by their URIs, which may end with `#`. It knows no other spelling of them. */
const metaSchemas: Readonly<Record<DialectName, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** Names that Ajv does not change when it resolves them: without a path, escapes and a fragment. */
const plainName = /^[A-Za-z_][\w-]*$/;

/** The checks with one set of shared schemas, and the options of this package. */
export class SchemaPrecheck {
  readonly #shared: SharedSchemas;
  readonly #rejectsOpenApi: boolean;
  readonly #appDialect: DialectName;
  /** By dialect, the shared schemas that its schemas may refer to, and whether all of them pass. */
  readonly #byDialect = new Map<DialectName, readonly [shared: SharedSchemas, pass: boolean]>();

  constructor(
    shared: SharedSchemas,
    { dialect = defaultDialect, rejectsOpenApi = false }: ValidatorOptions = {},
  ) {
    this.#shared = shared;
    this.#rejectsOpenApi = rejectsOpenApi;
    this.#appDialect = dialect;
  }

  /** Whether Ajv is certain to compile a schema, and the shared schemas. */
  passes(schema: unknown): boolean {
    const dialect = declaredDialect(schema) ?? this.#appDialect;
    const [shared, pass] = this.#sharedOf(dialect);
    return (
      pass &&
      isPlainObject(schema) &&
      new DocumentCheck(schema, shared, dialect, this.#rejectsOpenApi).passes()
    );
  }

  /** Whether all shared schemas pass, each in the dialects in which it may be read. */
  sharedPass(): boolean {
    const declared = Object.values(this.#shared).map((schema) => declaredDialect(schema) ?? this.#appDialect);
    return [this.#appDialect, ...declared].every((dialect) => this.#sharedOf(dialect)[1]);
  }

  #sharedOf(dialect: DialectName): readonly [shared: SharedSchemas, pass: boolean] {
    let known = this.#byDialect.get(dialect);
    if (known === undefined) {
      const shared = sharedFor(dialect, this.#shared);
      known = [shared, checkShared(shared, dialect, this.#rejectsOpenApi)];
      this.#byDialect.set(dialect, known);
    }
    return known;
  }
}

function checkShared(shared: SharedSchemas, dialect: DialectName, rejectsOpenApi: boolean): boolean {
  const checked = new Map<string, ReferencedSchema>();
  for (const [id, { $id, ...rest }] of Object.entries(shared)) {
    const check = new DocumentCheck(rest, shared, dialect, rejectsOpenApi, true);
    if ($id !== id || !plainName.test(id) || id in Object.prototype || !check.passes()) return false;
    checked.set(id, check);
  }
  return findLongestChain(checked, maxDepth) <= maxDepth;
}

/** The position of a subschema. */
interface Position {
  /** Whether it is a branch of `anyOf`, `oneOf` or `not`, or inside one: Ajv rejects defaults there. */
  readonly isBranch: boolean;
  /** Whether an outer schema names the type of the same data. */
  readonly isTyped: boolean;
  /** Whether it is directly under `properties`: only there Ajv accepts a default. */
  readonly isProperty: boolean;
  /** Whether it applies to the same data as the document or a definition: a reference here may be circular. */
  readonly isTop: boolean;
}

const outermost: Position = { isBranch: false, isTyped: false, isProperty: false, isTop: true };

/** What is returned in place of a level for a schema that does not pass. */
const fails = Number.POSITIVE_INFINITY;

/** The check of one document: the schema of a route, or a shared schema. */
class DocumentCheck implements ReferencedSchema {
  depth = 0;
  /** The shared schemas that it refers to. */
  readonly references = new Set<string>();
  readonly #root: Record<string, unknown>;
  readonly #shared: SharedSchemas;
  readonly #dialect: DialectName;
  readonly #rejectsOpenApi: boolean;
  readonly #isShared: boolean;
  /** The document and its definitions, by reference. */
  readonly #parts = new Map<string, ReferencedSchema>();
  /** The definitions that the part that is being checked refers to. */
  #usedDefinitions = new Set<string>();
  /** How many properties its schemas list. */
  #nameCount = 0;
  #hasUnevaluated = false;
  /** Whether a branch has a reference: its target is then part of a branch, too, where Ajv rejects defaults. */
  #hasReferenceInBranch = false;

  constructor(
    root: Record<string, unknown>,
    shared: SharedSchemas,
    dialect: DialectName,
    rejectsOpenApi: boolean,
    isShared = false,
  ) {
    this.#root = root;
    this.#shared = shared;
    this.#dialect = dialect;
    this.#rejectsOpenApi = rejectsOpenApi;
    this.#isShared = isShared;
  }

  passes(): boolean {
    const metaSchema = metaSchemas[this.#dialect];
    const { $schema = metaSchema, ...schema } = this.#root;
    const { definitions = {}, $defs = {} } = schema;
    if ($schema !== metaSchema && $schema !== `${metaSchema}#`) return false;
    for (const [list, parts] of Object.entries({ definitions, $defs })) {
      if (!isPlainObject(parts)) return false;
      for (const [name, part] of Object.entries(parts))
        if (!this.#addPart(`#/${list}/${name}`, part, { ...outermost })) return false;
    }
    if (!this.#addPart('#', schema, outermost)) return false;
    this.depth = findLongestChain(this.#parts, maxDepth);
    if (this.depth > maxDepth) return false;
    // Ajv writes one condition with all names that may have been evaluated, and its length has no limit.
    const isLimited = this.#nameCount <= maxEvaluatedNames && this.references.size === 0;
    if (this.#hasUnevaluated && !isLimited) return false;
    return !(this.#hasReferenceInBranch && findTried(this.#root, this.#shared).hasDefault);
  }

  #addPart(reference: string, schema: unknown, position: Position): boolean {
    this.#usedDefinitions = new Set();
    const depth = this.#deepestLevel(schema, position, 1);
    this.#parts.set(reference, { depth, references: this.#usedDefinitions });
    return depth <= maxDepth;
  }

  /** Returns the deepest level of a schema at a level, or `fails`. */
  #deepestLevel(schema: unknown, position: Position, level: number): number {
    if (level > maxDepth) return fails;
    if (typeof schema === 'boolean') return position === outermost ? fails : level;
    if (!isPlainObject(schema)) return fails;
    if ('$ref' in schema) return this.#isGoodReference(schema, position) ? level : fails;
    const types = typesOf(schema);
    if (types === undefined || (types.length > 0 && position.isTyped)) return fails;
    let deepest = level;
    for (const keyword of Object.keys(schema)) {
      const rule = rules.get(keyword);
      if (!this.#allows(keyword, rule, schema, types, position)) return fails;
      if (rule?.contains === undefined) continue;
      const value = schema[keyword] as object;
      const schemas = rule.contains === 'map' || rule.contains === 'list' ? Object.values(value) : [value];
      const isBranch = rule.appliesTo === 'same';
      const inner: Position = {
        isBranch: position.isBranch || isBranch,
        isTyped: isBranch && (position.isTyped || types.length > 0),
        isProperty: keyword === 'properties',
        isTop: position.isTop && isBranch,
      };
      const levelsOfSiblings = Math.floor(blocksOf(keyword, schemas.length, this.#dialect) / blocksOfLevel);
      for (const each of schemas)
        deepest = Math.max(deepest, this.#deepestLevel(each, inner, level + 1 + levelsOfSiblings));
      if (deepest > maxDepth) return fails;
    }
    return deepest;
  }

  /** Whether Ajv accepts a keyword and its value, apart from the schemas in it. */
  #allows(
    keyword: string,
    rule: Rule | undefined,
    schema: Record<string, unknown>,
    types: readonly unknown[],
    position: Position,
  ): boolean {
    const value = schema[keyword];
    if (rule !== undefined) {
      const { dataType } = rule;
      // Ajv warns if the schema does not name the type of data that a keyword is for.
      if (dataType !== undefined && !types.includes(dataType)) {
        if (dataType !== 'number' || !types.includes('integer')) return false;
      }
      if (!rule.allows(value)) return false;
    }
    switch (keyword) {
      case 'nullable':
        return types.length > 0 || !this.#rejectsOpenApi;
      case 'default':
        return position.isProperty && !position.isBranch;
      case 'properties':
      case 'patternProperties':
        this.#nameCount += Object.keys(value as object).length;
        return (
          keyword === 'properties' || (!('properties' in schema) && Object.keys(value!).every(isPattern))
        );
      case 'prefixItems':
        return this.#dialect === '2020-12' && hasFixedLength(schema);
      case 'unevaluatedProperties':
        this.#hasUnevaluated = true;
        return this.#dialect === '2020-12';
      case 'definitions':
      case '$defs':
        return position === outermost;
      case 'discriminator':
        return !this.#rejectsOpenApi && isPlainObject(value) && isPlainData(value);
      default:
        return rule !== undefined || (!this.#rejectsOpenApi && isAnnotation(keyword) && isPlainData(value));
    }
  }

  /** A reference must lead to a definition of this document or to a complete shared schema, and must have no other keyword beside it. */
  #isGoodReference(schema: Record<string, unknown>, position: Position): boolean {
    const { $ref: reference, description, ...rest } = schema;
    if (typeof reference !== 'string' || Object.keys(rest).length > 0 || position.isTyped) return false;
    if (description !== undefined && typeof description !== 'string') return false;
    this.#hasReferenceInBranch ||= position.isBranch;
    if (position.isTop && (this.#isShared || reference.startsWith('#'))) return false;
    const [, list, name] = /^#\/(definitions|\$defs)\/([\w-]+)$/.exec(reference) ?? [];
    if (list !== undefined) {
      this.#usedDefinitions.add(reference);
      return Object.hasOwn(Object(this.#root[list]), name!);
    }
    const id = reference.endsWith('#') ? reference.slice(0, -1) : reference;
    this.references.add(id);
    return plainName.test(id) && Object.hasOwn(this.#shared, id);
  }
}

/** The types that a schema names; `undefined` if Ajv would reject them or warn. */
function typesOf({ type, nullable }: Record<string, unknown>): readonly unknown[] | undefined {
  if (type === undefined) return [];
  const named: readonly unknown[] = [type].flat();
  if (!keywords.get('type')!.rule!.allows(named)) return undefined;
  const isNullable = named.includes('null');
  if (isNullable && nullable === false) return undefined;
  return named.length > (isNullable ? 2 : 1) ? undefined : named;
}

/** Ajv warns of a tuple whose length is not fixed. */
function hasFixedLength({ prefixItems, items, minItems, maxItems }: Record<string, unknown>): boolean {
  const { length } = prefixItems as readonly unknown[];
  return minItems === length && (items === false || maxItems === length);
}

/** Whether data in a schema has no names that Ajv reads everywhere: it searches annotations for them, too. */
function isPlainData(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const hasNames = '$id' in value || '$anchor' in value || '$dynamicAnchor' in value;
  return (
    level < maxDepth && !hasNames && Object.values(value).every((inner) => isPlainData(inner, level + 1))
  );
}

/** The formats for strings that `ajv-formats` adds. */
const textFormats: readonly string[] = [
  ...['date', 'time', 'date-time', 'iso-time', 'iso-date-time', 'duration', 'uri', 'uri-reference'],
  ...['uri-template', 'url', 'email', 'hostname', 'ipv4', 'ipv6', 'regex', 'uuid'],
  ...['json-pointer', 'json-pointer-uri-fragment', 'relative-json-pointer', 'byte', 'password', 'binary'],
];

/** All formats that it adds. */
export const formatNames: readonly string[] = [...textFormats, 'int32', 'int64', 'float', 'double'];

type Check = (value: unknown) => boolean;

const isNonEmptyList: Check = (value) => Array.isArray(value) && value.length > 0;
const isMap: Check = (value) => isPlainObject(value) && !Object.hasOwn(value, '__proto__');

/** Where Ajv demands more of a value than the table of keywords, which does not check the values that contain schemas. */
const stricterChecks: Readonly<Record<string, Check>> = {
  enum: isEnum,
  writeOnly: (value) => typeof value === 'boolean',
  pattern: isPattern,
  format: (value) => (textFormats as readonly unknown[]).includes(value),
  allOf: isNonEmptyList,
  anyOf: isNonEmptyList,
  oneOf: isNonEmptyList,
  prefixItems: isNonEmptyList,
  properties: isMap,
  patternProperties: isMap,
};

interface Rule extends Pick<Keyword, 'contains' | 'appliesTo'> {
  /** The type of data that the keyword is for. */
  readonly dataType: string | undefined;
  /** What Ajv demands of its value, apart from the schemas in it. */
  readonly allows: Check;
}

/** The keywords that may pass. */
const rules: ReadonlyMap<string, Rule> = new Map([
  ...rulesOf(undefined, 'title', 'description', '$comment', 'examples', 'readOnly', 'writeOnly'),
  ...rulesOf(undefined, 'const', 'enum', 'type', 'nullable', 'default', 'allOf', 'anyOf', 'oneOf', 'not'),
  ...rulesOf('string', 'minLength', 'maxLength', 'pattern', 'format'),
  ...rulesOf('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...rulesOf('array', 'minItems', 'maxItems', 'uniqueItems', 'items', 'prefixItems'),
  ...rulesOf('object', 'minProperties', 'maxProperties', 'required', 'properties', 'patternProperties'),
  ...rulesOf('object', 'additionalProperties', 'unevaluatedProperties'),
]);

function rulesOf(dataType: string | undefined, ...names: readonly string[]): (readonly [string, Rule])[] {
  return names.map((name) => {
    const { rule, contains, appliesTo } = keywords.get(name)!;
    const inTable: Check = stricterChecks[name] ?? rule?.allows ?? (() => true);
    const allows: Check =
      dataType === 'number' ? (value) => Number.isFinite(value) && inTable(value) : inTable;
    return [name, { dataType, allows, ...(contains && { contains }), ...(appliesTo && { appliesTo }) }];
  });
}

function isEnum(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isPrimitive = value.every((item) => typeof item !== 'object' || item === null);
  return isPrimitive && new Set(value).size === value.length;
}

export function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** A schema that others refer to by name. */
export interface ReferencedSchema {
  /** How many levels of schemas it has, including itself. */
  readonly depth: number;
  /** The names that it refers to. */
  readonly references: ReadonlySet<string>;
}

/**
 * Returns the depth of the deepest chain of references. The result is exact up to `maxDepth`. Schemas in a circle, and schemas that refer
 * to one, count as one chain, because the order in which an engine reads them depends on where it starts.
 */
export function findLongestChain(schemas: ReadonlyMap<string, ReferencedSchema>, maxDepth: number): number {
  const chains = new Map<string, number>();
  let unsettled = [...schemas];
  let longest = 0;
  for (let isSettling = true; isSettling && longest <= maxDepth; ) {
    // The schemas all of whose references are settled.
    const ready = unsettled.filter(([, { references }]) => [...references].every((name) => chains.has(name)));
    for (const [name, { depth, references }] of ready) {
      const chain =
        depth + [...references].reduce((deepest, other) => Math.max(deepest, chains.get(other)!), 0);
      chains.set(name, chain);
      longest = Math.max(longest, chain);
    }
    unsettled = unsettled.filter(([name]) => !chains.has(name));
    isSettling = ready.length > 0;
  }
  return longest + unsettled.reduce((sum, [, { depth }]) => sum + depth, 0);
}

// Long lists: `ajv-keywords.ts` divides their code into segments, so that it is nested less deeply.

/** How many entries of a keyword are nested before a new segment begins. */
export const segmentSize = 32;
/** Keywords whose entries Ajv nests with `ok`, which it calls once per entry. */
export const keywordsWithOk: readonly string[] = ['properties', 'items', 'prefixItems', 'allOf'];
/**
 * Keywords whose branches apply to the same data. For draft 2020-12, Ajv tracks what the branches have evaluated, which only its own code
 * can do.
 */
export const trackedKeywords: readonly string[] = ['allOf', 'anyOf'];
const segmentedKeywords = [...keywordsWithOk, 'anyOf'];

/** Returns how deeply the code for this number of entries of a keyword is nested. */
function blocksOf(keyword: string, entries: number, dialect: DialectName): number {
  const isTracked = dialect === '2020-12' && trackedKeywords.includes(keyword);
  const isSegmented = entries > segmentSize && segmentedKeywords.includes(keyword) && !isTracked;
  return isSegmented ? segmentSize + Math.ceil(entries / segmentSize) : entries;
}
