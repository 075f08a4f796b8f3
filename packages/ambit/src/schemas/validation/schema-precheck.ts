/**
 * Proves of a schema, without compiling it, that Ajv will: no error, no warning of its strict mode. What the proof does not
 * cover counts as unproven, never as wrong: such a schema is compiled at once, and Ajv itself says what is the matter.
 */
import type { SharedSchemas } from '../../contract/compiler.ts';
import { isPlainObject } from '../../shared/plain-object.ts';
import { textFormatNames, typeNames } from './ajv-names.ts';
import { blocksOf } from './nested-code.ts';
import { deepestChain, type Link } from './reference-depth.ts';

const types: ReadonlySet<unknown> = typeNames;
const textFormats: ReadonlySet<unknown> = textFormatNames;

/**
 * How deep the schema of a route may be, and once more what it refers to. Ajv calls itself for each level: from some 250 to 400 on, as
 * the engine, the keyword and the stack below have it, that overflows.
 */
const maxDepth = 80;
/** How many blocks Ajv opens for a level, at most: what stands side by side in a list is nested in blocks as well, and counts by them. */
const blocksOfLevel = 3;

const draft7 = 'http://json-schema.org/draft-07/schema#';
/** Names that resolve to themselves: nothing in them is relative, escaped or a fragment. */
const plainName = /^[A-Za-z_][\w-]*$/;

const isText = (value: unknown): boolean => typeof value === 'string';
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isNumber = (value: unknown): boolean => Number.isFinite(value);
const isSize = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0;

/** Keywords whose value alone decides, with the type of data that they speak of. */
const simpleKeywords: Readonly<Record<string, { of?: string; isSound: (value: unknown) => boolean }>> = {
  title: { isSound: isText },
  description: { isSound: isText },
  $comment: { isSound: isText },
  examples: { isSound: Array.isArray },
  readOnly: { isSound: isFlag },
  writeOnly: { isSound: isFlag },
  const: { isSound: () => true },
  enum: { isSound: isEnum },
  minLength: { of: 'string', isSound: isSize },
  maxLength: { of: 'string', isSound: isSize },
  pattern: { of: 'string', isSound: isPattern },
  format: { of: 'string', isSound: (value) => textFormats.has(value) },
  minimum: { of: 'number', isSound: isNumber },
  maximum: { of: 'number', isSound: isNumber },
  exclusiveMinimum: { of: 'number', isSound: isNumber },
  exclusiveMaximum: { of: 'number', isSound: isNumber },
  multipleOf: { of: 'number', isSound: (value) => isNumber(value) && (value as number) > 0 },
  minItems: { of: 'array', isSound: isSize },
  maxItems: { of: 'array', isSound: isSize },
  uniqueItems: { of: 'array', isSound: isFlag },
  minProperties: { of: 'object', isSound: isSize },
  maxProperties: { of: 'object', isSound: isSize },
  required: { of: 'object', isSound: isNameList },
};

function isEnum(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const isPrimitive = value.every((item) => typeof item !== 'object' || item === null);
  return isPrimitive && new Set(value).size === value.length;
}

function isNameList(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    new RegExp(value, 'u');
    return true;
  } catch {
    return false;
  }
}

/** Whether Ajv is certain to compile the schema of a route, with its baseline options, over these shared schemas. */
export function passesPrecheck(schema: unknown, shared: SharedSchemas): boolean {
  return isPlainObject(schema) && new Proof(schema, shared).holds();
}

/** Whether every shared schema is one that others may refer to. */
export function sharedPassPrecheck(shared: SharedSchemas): boolean {
  const links = new Map<string, Link>();
  for (const [id, schema] of Object.entries(shared)) {
    const { $id, ...rest } = schema;
    const proof = new Proof(rest, shared, true);
    if ($id !== id || !plainName.test(id) || id in Object.prototype || !proof.holds()) return false;
    links.set(id, proof);
  }
  return deepestChain(links, maxDepth) <= maxDepth;
}

/** Where a subschema stands. */
interface Place {
  /** A branch of `anyOf`, `oneOf` or `not`, or below one: Ajv refuses defaults there. */
  readonly isBranch: boolean;
  /** Data of this place has its type named by a schema further out. */
  readonly isTyped: boolean;
  /** Only what stands under `properties` may have a default. */
  readonly isProperty: boolean;
  /** For the same data as the document, or as a definition: a reference here may lead round in a circle. */
  readonly isTop: boolean;
}

const outermost: Place = { isBranch: false, isTyped: false, isProperty: false, isTop: true };
const property: Place = { ...outermost, isProperty: true, isTop: false };

/** The proof for one document. */
class Proof implements Link {
  levels = 0;
  /** The shared schemas that it refers to. */
  readonly references = new Set<string>();
  /** Its definitions, by reference. */
  readonly #definitions = new Map<string, Link>();
  readonly #root: Record<string, unknown>;
  readonly #shared: SharedSchemas;
  readonly #isShared: boolean;
  #level = 0;
  #deepest = 0;
  /** The definitions that what is being walked refers to: the document, or one of them. */
  #usedDefinitions = new Set<string>();
  #hasDefault = false;
  /** A reference from within a branch: what is below it counts as a branch, too. */
  #hasReferenceInBranch = false;

  constructor(root: Record<string, unknown>, shared: SharedSchemas, isShared = false) {
    this.#root = root;
    this.#shared = shared;
    this.#isShared = isShared;
  }

  holds(): boolean {
    const { $schema = draft7, ...schema } = this.#root;
    if ($schema !== draft7 || !this.#isSound(schema, outermost)) return false;
    this.#definitions.set('#', { levels: this.#deepest, references: this.#usedDefinitions });
    this.levels = deepestChain(this.#definitions, maxDepth);
    if (this.levels > maxDepth) return false;
    return !(this.#hasReferenceInBranch && this.#hasDefault);
  }

  /** @param beside How many levels the code of a list takes in which the schema stands. */
  #isSound(schema: unknown, place: Place, beside = 0): boolean {
    const level = this.#level;
    this.#level += 1 + beside;
    this.#deepest = Math.max(this.#deepest, this.#level);
    const isSound = this.#level <= maxDepth && this.#isSoundHere(schema, place);
    this.#level = level;
    return isSound;
  }

  #isSoundHere(schema: unknown, place: Place): boolean {
    if (typeof schema === 'boolean') return place !== outermost;
    if (!isPlainObject(schema)) return false;
    if ('$ref' in schema) return this.#isSoundReference(schema, place);
    const named = typesOf(schema);
    if (named === undefined || (named.length > 0 && place.isTyped)) return false;
    return Object.entries(schema).every(([keyword, value]) => {
      const simple = Object.hasOwn(simpleKeywords, keyword) ? simpleKeywords[keyword] : undefined;
      if (simple === undefined) return this.#isSoundKeyword(keyword, value, schema, named, place);
      return (simple.of === undefined || speaksOf(named, simple.of)) && simple.isSound(value);
    });
  }

  #isSoundKeyword(
    keyword: string,
    value: unknown,
    schema: Record<string, unknown>,
    named: readonly unknown[],
    place: Place,
  ): boolean {
    const inside: Place = { ...property, isBranch: place.isBranch };
    switch (keyword) {
      case 'type':
        return true;
      case 'nullable':
        return isFlag(value) && named.length > 0;
      case 'default':
        this.#hasDefault = true;
        return place.isProperty && !place.isBranch;
      case 'properties':
        return speaksOf(named, 'object') && this.#passPrecheck(keyword, value, inside);
      case 'patternProperties': {
        const isAlone =
          !('properties' in schema) && isPlainObject(value) && Object.keys(value).every(isPattern);
        return (
          isAlone &&
          speaksOf(named, 'object') &&
          this.#passPrecheck(keyword, value, { ...inside, isProperty: false })
        );
      }
      case 'additionalProperties':
        return speaksOf(named, 'object') && this.#isSound(value, { ...inside, isProperty: false });
      case 'items':
        return speaksOf(named, 'array') && this.#isSound(value, { ...inside, isProperty: false });
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        return (
          Array.isArray(value) &&
          value.length > 0 &&
          value.every((branch) => this.#isBranch(branch, named, place, levelsBeside(keyword, value.length)))
        );
      case 'not':
        return this.#isBranch(value, named, place);
      case 'definitions':
      case '$defs':
        return (
          place === outermost &&
          isPlainObject(value) &&
          Object.entries(value).every(([name, part]) => this.#isDefinition(`#/${keyword}/${name}`, part))
        );
      default:
        return false;
    }
  }

  #isDefinition(reference: string, schema: unknown): boolean {
    const [level, deepest, used] = [this.#level, this.#deepest, this.#usedDefinitions];
    [this.#level, this.#deepest, this.#usedDefinitions] = [0, 0, new Set()];
    const isSound = this.#isSound(schema, { ...outermost });
    this.#definitions.set(reference, { levels: this.#deepest, references: this.#usedDefinitions });
    [this.#level, this.#deepest, this.#usedDefinitions] = [level, deepest, used];
    return isSound;
  }

  /** A schema for the same data: it may name a type only where none is named yet. */
  #isBranch(branch: unknown, named: readonly unknown[], place: Place, beside = 0): boolean {
    const isTyped = place.isTyped || named.length > 0;
    return this.#isSound(branch, { isBranch: true, isTyped, isProperty: false, isTop: place.isTop }, beside);
  }

  #passPrecheck(keyword: string, schemas: unknown, place: Place): boolean {
    if (!isPlainObject(schemas) || Object.hasOwn(schemas, '__proto__')) return false;
    const parts = Object.values(schemas);
    const beside = levelsBeside(keyword, parts.length);
    return parts.every((schema) => this.#isSound(schema, place, beside));
  }

  /** A definition of this document, or a shared schema as a whole; with nothing beside it. */
  #isSoundReference(schema: Record<string, unknown>, place: Place): boolean {
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

function levelsBeside(keyword: string, entries: number): number {
  return Math.floor(blocksOf(keyword, entries) / blocksOfLevel);
}

/** The types that a schema names; `undefined` where Ajv has something to say about them. */
function typesOf({ type, nullable }: Record<string, unknown>): readonly unknown[] | undefined {
  if (type === undefined) return [];
  const named: readonly unknown[] = [type].flat();
  if (named.length === 0 || !named.every((name) => types.has(name))) return undefined;
  if (new Set(named).size !== named.length) return undefined;
  const isNullable = named.includes('null');
  if (isNullable && nullable === false) return undefined;
  return named.length > (isNullable ? 2 : 1) ? undefined : named;
}

function speaksOf(named: readonly unknown[], type: string): boolean {
  return named.includes(type) || (type === 'number' && named.includes('integer'));
}
