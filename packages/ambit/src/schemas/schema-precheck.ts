/**
 * Checks a schema without compiling it: a schema that passes is certain to compile in Ajv without an error or a warning of its strict mode,
 * so its compilation can wait. A schema that does not pass may still be valid: it is compiled at once, and Ajv reports its errors.
 */
import { contentKey, defaultDialect, isAnnotation, jsonTypes, keywords } from '@ambit/json-schema';
import { isPlainObject } from '../shared/values.ts';
import type { SchemaDialect, SharedSchemas } from '../types/compilers.ts';

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
const metaSchemas: Readonly<Record<SchemaDialect, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** Names that Ajv does not change when it resolves them: without a path, escapes and a fragment. */
const plainName = /^[A-Za-z_][\w-]*$/;

/** Whether Ajv is certain to compile the schema of a route, with the baseline options and these shared schemas. */
export function passesPrecheck(
  schema: unknown,
  shared: SharedSchemas,
  dialect: SchemaDialect = defaultDialect,
  rejectsOpenApi = false,
): boolean {
  return isPlainObject(schema) && new SchemaPrecheck(schema, shared, { dialect, rejectsOpenApi }).passes();
}

/** Whether every shared schema passes, so that other schemas may refer to it. */
export function sharedPassPrecheck(
  shared: SharedSchemas,
  dialect: SchemaDialect = defaultDialect,
  rejectsOpenApi = false,
): boolean {
  const checked = new Map<string, ReferencedSchema>();
  for (const [id, schema] of Object.entries(shared)) {
    const { $id, ...rest } = schema;
    const precheck = new SchemaPrecheck(rest, shared, { dialect, rejectsOpenApi }, true);
    if ($id !== id || !plainName.test(id) || id in Object.prototype || !precheck.passes()) return false;
    checked.set(id, precheck);
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
const property: Position = { ...outermost, isProperty: true, isTop: false };

/** The check of one document: the schema of a route, or a shared schema. */
class SchemaPrecheck implements ReferencedSchema {
  depth = 0;
  /** The shared schemas that it refers to. */
  readonly references = new Set<string>();
  /** Its definitions, by reference. */
  readonly #definitions = new Map<string, ReferencedSchema>();
  readonly #root: Record<string, unknown>;
  readonly #shared: SharedSchemas;
  readonly #dialect: SchemaDialect;
  readonly #rejectsOpenApi: boolean;
  readonly #isShared: boolean;
  #level = 0;
  #deepest = 0;
  /** The definitions that the document, or the definition that is being checked, refers to. */
  #usedDefinitions = new Set<string>();
  /** How many properties its schemas list. */
  #nameCount = 0;
  #hasUnevaluated = false;
  #hasDefault = false;
  /** Whether a branch has a reference: its target is then part of a branch, too. */
  #hasReferenceInBranch = false;

  constructor(
    root: Record<string, unknown>,
    shared: SharedSchemas,
    { dialect, rejectsOpenApi }: { dialect: SchemaDialect; rejectsOpenApi: boolean },
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
    if (($schema !== metaSchema && $schema !== `${metaSchema}#`) || !this.#check(schema, outermost))
      return false;
    this.#definitions.set('#', { depth: this.#deepest, references: this.#usedDefinitions });
    this.depth = findLongestChain(this.#definitions, maxDepth);
    if (this.depth > maxDepth) return false;
    // Ajv writes one condition with all names that may have been evaluated, and its length has no limit.
    const isLimited = this.#nameCount <= maxEvaluatedNames && this.references.size === 0;
    if (this.#hasUnevaluated && !isLimited) return false;
    const hasDefault = this.#hasDefault || (this.references.size > 0 && haveDefaults(this.#shared));
    return !(this.#hasReferenceInBranch && hasDefault);
  }

  /** @param siblingLevels How many levels count for the list that contains the schema. */
  #check(schema: unknown, position: Position, siblingLevels = 0): boolean {
    const level = this.#level;
    this.#level += 1 + siblingLevels;
    this.#deepest = Math.max(this.#deepest, this.#level);
    const passes = this.#level <= maxDepth && this.#checkKeywords(schema, position);
    this.#level = level;
    return passes;
  }

  #checkKeywords(schema: unknown, position: Position): boolean {
    if (typeof schema === 'boolean') return position !== outermost;
    if (!isPlainObject(schema)) return false;
    if ('$ref' in schema) return this.#checkReference(schema, position);
    const named = typesOf(schema);
    if (named === undefined || (named.length > 0 && position.isTyped)) return false;
    return Object.entries(schema).every(([keyword, value]) => {
      const simple = simpleKeywords.get(keyword);
      if (simple === undefined) return this.#checkKeyword(keyword, value, schema, named, position);
      return (simple.dataType === undefined || appliesTo(named, simple.dataType)) && simple.isValid(value);
    });
  }

  #checkKeyword(
    keyword: string,
    value: unknown,
    schema: Record<string, unknown>,
    named: readonly unknown[],
    position: Position,
  ): boolean {
    const member: Position = { ...property, isBranch: position.isBranch };
    const element: Position = { ...member, isProperty: false };
    switch (keyword) {
      case 'type':
        return true;
      case 'nullable':
        return typeof value === 'boolean' && (named.length > 0 || !this.#rejectsOpenApi);
      case 'default':
        this.#hasDefault = true;
        return position.isProperty && !position.isBranch;
      case 'properties':
        return appliesTo(named, 'object') && this.#checkAll(keyword, value, member);
      case 'patternProperties':
        return appliesTo(named, 'object') && this.#checkPatterns(value, schema, element);
      case 'additionalProperties':
        return appliesTo(named, 'object') && this.#check(value, element);
      case 'items':
        return appliesTo(named, 'array') && this.#check(value, element);
      case 'prefixItems':
        return appliesTo(named, 'array') && this.#checkTuple(value, schema, element);
      case 'unevaluatedProperties':
        this.#hasUnevaluated = true;
        return this.#dialect === '2020-12' && appliesTo(named, 'object') && this.#check(value, element);
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return this.#checkBranches(keyword, value, named, position);
      case 'not':
        return this.#checkBranch(value, named, position);
      case 'definitions':
      case '$defs':
        return position === outermost && this.#checkDefinitions(keyword, value);
      case 'discriminator':
        return !this.#rejectsOpenApi && isPlainObject(value) && isPlainData(value);
      default:
        return !this.#rejectsOpenApi && isAnnotation(keyword) && isPlainData(value);
    }
  }

  #checkPatterns(value: unknown, schema: Record<string, unknown>, position: Position): boolean {
    if ('properties' in schema || !isPlainObject(value) || !Object.keys(value).every(isPattern)) return false;
    return this.#checkAll('patternProperties', value, position);
  }

  #checkBranches(keyword: string, value: unknown, named: readonly unknown[], position: Position): boolean {
    if (!Array.isArray(value) || value.length === 0) return false;
    const siblingLevels = this.#levelsOfSiblings(keyword, value.length);
    return value.every((branch) => this.#checkBranch(branch, named, position, siblingLevels));
  }

  #checkDefinitions(keyword: string, value: unknown): boolean {
    if (!isPlainObject(value)) return false;
    return Object.entries(value).every(([name, part]) => this.#checkDefinition(`#/${keyword}/${name}`, part));
  }

  #checkDefinition(reference: string, schema: unknown): boolean {
    const [level, deepest, used] = [this.#level, this.#deepest, this.#usedDefinitions];
    [this.#level, this.#deepest, this.#usedDefinitions] = [0, 0, new Set()];
    const passes = this.#check(schema, { ...outermost });
    this.#definitions.set(reference, { depth: this.#deepest, references: this.#usedDefinitions });
    [this.#level, this.#deepest, this.#usedDefinitions] = [level, deepest, used];
    return passes;
  }

  /** Checks a schema that applies to the same data. It may name a type only if no outer schema does. */
  #checkBranch(branch: unknown, named: readonly unknown[], position: Position, siblingLevels = 0): boolean {
    const isTyped = position.isTyped || named.length > 0;
    const inner: Position = { isBranch: true, isTyped, isProperty: false, isTop: position.isTop };
    return this.#check(branch, inner, siblingLevels);
  }

  #checkAll(keyword: string, schemas: unknown, position: Position): boolean {
    if (!isPlainObject(schemas) || Object.hasOwn(schemas, '__proto__')) return false;
    const parts = Object.values(schemas);
    this.#nameCount += parts.length;
    const siblingLevels = this.#levelsOfSiblings(keyword, parts.length);
    return parts.every((schema) => this.#check(schema, position, siblingLevels));
  }

  /** Checks `prefixItems`, which only draft 2020-12 has. Ajv warns of a tuple whose length is not fixed. */
  #checkTuple(value: unknown, schema: Record<string, unknown>, position: Position): boolean {
    if (this.#dialect !== '2020-12' || !Array.isArray(value) || value.length === 0) return false;
    const isClosed = schema.items === false || schema.maxItems === value.length;
    if (!isClosed || schema.minItems !== value.length) return false;
    const siblingLevels = this.#levelsOfSiblings('prefixItems', value.length);
    return value.every((item) => this.#check(item, position, siblingLevels));
  }

  #levelsOfSiblings(keyword: string, entries: number): number {
    return Math.floor(blocksOf(keyword, entries, this.#dialect) / blocksOfLevel);
  }

  /** A reference must lead to a definition of this document or to a complete shared schema, and must have no other keyword beside it. */
  #checkReference(schema: Record<string, unknown>, position: Position): boolean {
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

/** Whether data in a schema has no names that Ajv reads everywhere: it searches annotations for them, too. */
function isPlainData(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  const hasNames = '$id' in value || '$anchor' in value || '$dynamicAnchor' in value;
  return (
    level < maxDepth && !hasNames && Object.values(value).every((inner) => isPlainData(inner, level + 1))
  );
}

/** Whether the text of the shared schemas contains a default. */
const sharedWithDefaults = new WeakMap<SharedSchemas, boolean>();

function haveDefaults(shared: SharedSchemas): boolean {
  let result = sharedWithDefaults.get(shared);
  if (result === undefined) {
    // Shared schemas that JSON cannot express do not pass the check.
    result = contentKey(shared)?.includes('"default":') ?? true;
    sharedWithDefaults.set(shared, result);
  }
  return result;
}

/** The types that a schema names; `undefined` if Ajv would reject them or warn. */
function typesOf({ type, nullable }: Record<string, unknown>): readonly unknown[] | undefined {
  if (type === undefined) return [];
  const named: readonly unknown[] = [type].flat();
  if (named.length === 0 || !named.every((name) => (jsonTypes as readonly unknown[]).includes(name)))
    return undefined;
  if (new Set(named).size !== named.length) return undefined;
  const isNullable = named.includes('null');
  if (isNullable && nullable === false) return undefined;
  return named.length > (isNullable ? 2 : 1) ? undefined : named;
}

/** Whether a keyword that is for one type applies to one of the named types. */
function appliesTo(named: readonly unknown[], type: string): boolean {
  return named.includes(type) || (type === 'number' && named.includes('integer'));
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

/** Where Ajv demands more of a value than the table of keywords. */
const stricterChecks: Readonly<Record<string, Check>> = {
  enum: isEnum,
  writeOnly: (value) => typeof value === 'boolean',
  pattern: isPattern,
  format: (value) => (textFormats as readonly unknown[]).includes(value),
};

/** The keywords that are checked by their value alone, and the type of data that each is for. */
const simpleKeywords: ReadonlyMap<
  string,
  { readonly dataType: string | undefined; readonly isValid: Check }
> = new Map([
  ...checksOf(undefined, 'title', 'description', '$comment', 'examples', 'readOnly', 'writeOnly'),
  ...checksOf(undefined, 'const', 'enum'),
  ...checksOf('string', 'minLength', 'maxLength', 'pattern', 'format'),
  ...checksOf('number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'),
  ...checksOf('array', 'minItems', 'maxItems', 'uniqueItems'),
  ...checksOf('object', 'minProperties', 'maxProperties', 'required'),
]);

function checksOf(dataType: string | undefined, ...names: readonly string[]) {
  return names.map((name) => {
    const allows: Check = stricterChecks[name] ?? keywords.get(name)?.rule?.allows ?? (() => true);
    const isValid: Check =
      dataType === 'number' ? (value) => Number.isFinite(value) && allows(value) : allows;
    return [name, { dataType, isValid }] as const;
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

// Long lists: `ajv-nesting.ts` divides their code into segments, so that it is nested less deeply.

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
function blocksOf(keyword: string, entries: number, dialect: SchemaDialect): number {
  const isTracked = dialect === '2020-12' && trackedKeywords.includes(keyword);
  const isSegmented = entries > segmentSize && segmentedKeywords.includes(keyword) && !isTracked;
  return isSegmented ? segmentSize + Math.ceil(entries / segmentSize) : entries;
}
