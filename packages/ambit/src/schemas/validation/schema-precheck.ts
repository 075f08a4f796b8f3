/**
 * Checks a schema without compiling it: a schema that passes is certain to compile in Ajv without an error or a warning of its strict mode,
 * so its compilation can wait. A schema that does not pass need not be wrong: it is compiled at once, and Ajv reports what is wrong with it.
 */
import type { SharedSchemas } from '../../contract/compiler.ts';
import type { SchemaDialect } from '../../contract/compiler-options.ts';
import { isPlainObject } from '../../shared/plain-object.ts';
import { defaultDialect, markedDialect } from '../dialect.ts';
import { contentKey } from '../schema-content.ts';
import { appliesTo, typesOf } from './named-types.ts';
import { blocksOf } from './nested-code.ts';
import { deepestChain, type Link } from './reference-depth.ts';
import { isFlag, isPattern, isText, simpleKeywords } from './simple-keywords.ts';

/**
 * How deep the schema of a route may be, and how deep all that it refers to may be. Ajv calls itself for each level, and overflows the stack
 * from 250 to 400 levels on: it depends on the Node version, the keyword and how much of the stack is in use.
 */
const maxDepth = 80;
/** How many names may be listed where `unevaluatedProperties` asks which of them were evaluated. */
const maxEvaluatedNames = 200;
/** How many blocks Ajv opens for one level, at most. The entries of a list are nested in blocks as well, and are counted by their blocks. */
const blocksOfLevel = 3;

/** Names that resolve to themselves: they have no path, no escapes and no fragment. */
const plainName = /^[A-Za-z_][\w-]*$/;

/** Whether Ajv is certain to compile the schema of a route, with the baseline options and these shared schemas. */
export function passesPrecheck(
  schema: unknown,
  shared: SharedSchemas,
  dialect: SchemaDialect = defaultDialect,
): boolean {
  return isPlainObject(schema) && new SchemaPrecheck(schema, shared, dialect).passes();
}

/** Whether every shared schema passes, so that other schemas may refer to it. */
export function sharedPassPrecheck(shared: SharedSchemas, dialect: SchemaDialect = defaultDialect): boolean {
  const links = new Map<string, Link>();
  for (const [id, schema] of Object.entries(shared)) {
    const { $id, ...rest } = schema;
    const precheck = new SchemaPrecheck(rest, shared, dialect, true);
    if ($id !== id || !plainName.test(id) || id in Object.prototype || !precheck.passes()) return false;
    links.set(id, precheck);
  }
  return deepestChain(links, maxDepth) <= maxDepth;
}

/** Where a subschema stands. */
interface Place {
  /** A branch of `anyOf`, `oneOf` or `not`, or a schema inside a branch: Ajv refuses defaults there. */
  readonly isBranch: boolean;
  /** A schema further out names the type of the same data. */
  readonly isTyped: boolean;
  /** Directly under `properties`: only there Ajv accepts a default. */
  readonly isProperty: boolean;
  /** For the same data as the document or a definition: a reference here may be circular. */
  readonly isTop: boolean;
}

const outermost: Place = { isBranch: false, isTyped: false, isProperty: false, isTop: true };
const property: Place = { ...outermost, isProperty: true, isTop: false };

/** The check of one document: the schema of a route, or a shared schema. */
class SchemaPrecheck implements Link {
  depth = 0;
  /** The shared schemas that it refers to. */
  readonly references = new Set<string>();
  /** Its definitions, by reference. */
  readonly #definitions = new Map<string, Link>();
  readonly #root: Record<string, unknown>;
  readonly #shared: SharedSchemas;
  readonly #dialect: SchemaDialect;
  readonly #isShared: boolean;
  #level = 0;
  #deepest = 0;
  /** The definitions that the document, or the definition that is being checked, refers to. */
  #usedDefinitions = new Set<string>();
  /** How many properties its schemas list. */
  #nameCount = 0;
  #hasUnevaluated = false;
  #hasDefault = false;
  /** A branch has a reference, so that its target counts as a branch too. */
  #hasReferenceInBranch = false;

  constructor(
    root: Record<string, unknown>,
    shared: SharedSchemas,
    dialect: SchemaDialect,
    isShared = false,
  ) {
    this.#root = root;
    this.#shared = shared;
    this.#dialect = dialect;
    this.#isShared = isShared;
  }

  passes(): boolean {
    const { $schema, ...schema } = this.#root;
    if (
      ($schema !== undefined && markedDialect(this.#root) !== this.#dialect) ||
      !this.#check(schema, outermost)
    )
      return false;
    this.#definitions.set('#', { depth: this.#deepest, references: this.#usedDefinitions });
    this.depth = deepestChain(this.#definitions, maxDepth);
    if (this.depth > maxDepth) return false;
    // Ajv writes one condition over all names that may have been evaluated: it grows without a limit.
    const isLimited = this.#nameCount <= maxEvaluatedNames && this.references.size === 0;
    if (this.#hasUnevaluated && !isLimited) return false;
    const hasDefault = this.#hasDefault || (this.references.size > 0 && haveDefaults(this.#shared));
    return !(this.#hasReferenceInBranch && hasDefault);
  }

  /** @param siblingLevels How many levels the code of the list that contains the schema takes. */
  #check(schema: unknown, place: Place, siblingLevels = 0): boolean {
    const level = this.#level;
    this.#level += 1 + siblingLevels;
    this.#deepest = Math.max(this.#deepest, this.#level);
    const passes = this.#level <= maxDepth && this.#checkKeywords(schema, place);
    this.#level = level;
    return passes;
  }

  #checkKeywords(schema: unknown, place: Place): boolean {
    if (typeof schema === 'boolean') return place !== outermost;
    if (!isPlainObject(schema)) return false;
    if ('$ref' in schema) return this.#checkReference(schema, place);
    const named = typesOf(schema);
    if (named === undefined || (named.length > 0 && place.isTyped)) return false;
    return Object.entries(schema).every(([keyword, value]) => {
      const simple = Object.hasOwn(simpleKeywords, keyword) ? simpleKeywords[keyword] : undefined;
      if (simple === undefined) return this.#checkKeyword(keyword, value, schema, named, place);
      return (simple.of === undefined || appliesTo(named, simple.of)) && simple.isValid(value);
    });
  }

  #checkKeyword(
    keyword: string,
    value: unknown,
    schema: Record<string, unknown>,
    named: readonly unknown[],
    place: Place,
  ): boolean {
    const member: Place = { ...property, isBranch: place.isBranch };
    const element: Place = { ...member, isProperty: false };
    switch (keyword) {
      case 'type':
        return true;
      case 'nullable':
        return isFlag(value) && named.length > 0;
      case 'default':
        this.#hasDefault = true;
        return place.isProperty && !place.isBranch;
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
        return this.#checkBranches(keyword, value, named, place);
      case 'not':
        return this.#checkBranch(value, named, place);
      case 'definitions':
      case '$defs':
        return place === outermost && this.#checkDefinitions(keyword, value);
      default:
        return false;
    }
  }

  #checkPatterns(value: unknown, schema: Record<string, unknown>, place: Place): boolean {
    if ('properties' in schema || !isPlainObject(value) || !Object.keys(value).every(isPattern)) return false;
    return this.#checkAll('patternProperties', value, place);
  }

  #checkBranches(keyword: string, value: unknown, named: readonly unknown[], place: Place): boolean {
    if (!Array.isArray(value) || value.length === 0) return false;
    const siblingLevels = this.#levelsOfSiblings(keyword, value.length);
    return value.every((branch) => this.#checkBranch(branch, named, place, siblingLevels));
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

  /** A schema for the same data: it may name a type only if no schema further out does. */
  #checkBranch(branch: unknown, named: readonly unknown[], place: Place, siblingLevels = 0): boolean {
    const isTyped = place.isTyped || named.length > 0;
    return this.#check(
      branch,
      { isBranch: true, isTyped, isProperty: false, isTop: place.isTop },
      siblingLevels,
    );
  }

  #checkAll(keyword: string, schemas: unknown, place: Place): boolean {
    if (!isPlainObject(schemas) || Object.hasOwn(schemas, '__proto__')) return false;
    const parts = Object.values(schemas);
    this.#nameCount += parts.length;
    const siblingLevels = this.#levelsOfSiblings(keyword, parts.length);
    return parts.every((schema) => this.#check(schema, place, siblingLevels));
  }

  /** Only draft 2020-12 has tuples here; Ajv warns of those that do not say how long they are. */
  #checkTuple(value: unknown, schema: Record<string, unknown>, place: Place): boolean {
    if (this.#dialect !== '2020-12' || !Array.isArray(value) || value.length === 0) return false;
    const isClosed = schema.items === false || schema.maxItems === value.length;
    if (!isClosed || schema.minItems !== value.length) return false;
    const siblingLevels = this.#levelsOfSiblings('prefixItems', value.length);
    return value.every((item) => this.#check(item, place, siblingLevels));
  }

  #levelsOfSiblings(keyword: string, entries: number): number {
    return Math.floor(blocksOf(keyword, entries, this.#dialect) / blocksOfLevel);
  }

  /** The reference must lead to a definition of this document or to a whole shared schema, and have no other keyword beside it. */
  #checkReference(schema: Record<string, unknown>, place: Place): boolean {
    const { $ref: reference, description, ...rest } = schema;
    if (typeof reference !== 'string' || Object.keys(rest).length > 0 || place.isTyped) return false;
    if (description !== undefined && !isText(description)) return false;
    this.#hasReferenceInBranch ||= place.isBranch;
    if (place.isTop && (this.#isShared || reference.startsWith('#'))) return false;
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

/** Whether any of the shared schemas may have a default, by their text. */
const sharedWithDefaults = new WeakMap<SharedSchemas, boolean>();

function haveDefaults(shared: SharedSchemas): boolean {
  let result = sharedWithDefaults.get(shared);
  if (result === undefined) {
    // Schemas that are not JSON are checked one by one, and fail.
    result = contentKey(shared)?.includes('"default":') ?? true;
    sharedWithDefaults.set(shared, result);
  }
  return result;
}
