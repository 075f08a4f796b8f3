/** Reads schemas into shapes: one shape per set of parts, so that recursive schemas become cyclic shapes. */
import { SchemaError } from '../errors.ts';
import { isSchemaObject, type JsonSchema, type JsonType } from '../json-schema.ts';
import { joinPointer } from '../pointer.ts';
import { maxDepth, tooDeep } from '../schema/check-document.ts';
import { checkReferences } from '../schema/check-references.ts';
import { type Dialect, dialectNamed } from '../schema/dialect.ts';
import { flatten } from '../schema/flatten.ts';
import { keyword, type Part, Registry } from '../schema/registry.ts';
import type { CompileOptions } from '../serializer.ts';
import { isEqual } from '../validate/equality.ts';
import { Validators } from '../validate/validators.ts';
import { readArray } from './read-array.ts';
import { readChoice, readDecision } from './read-choice.ts';
import { readConditional } from './read-conditional.ts';
import { readObject } from './read-object.ts';
import { isOpen, readTypes } from './read-types.ts';
import type { DateFormat, Shape } from './shape.ts';
import type { ShapeBody, SubschemaReader } from './subschema-reader.ts';

const dateFormats: readonly unknown[] = ['date', 'time', 'date-time'];

/** Keywords that determine how objects and lists are written. */
const containers: readonly (readonly [type: JsonType, keywords: readonly string[]])[] = [
  ['object', ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']],
  ['array', ['prefixItems', 'items', 'unevaluatedItems']],
];

/** How many combinations of branches of `allOf` a schema may have. Each has its own shape. */
const maxCombinations = 10_000;

/** The shape of a schema, and the predicates that choose its branches. */
export interface Reading {
  readonly shape: Shape;
  readonly validators: Validators;
}

/** @throws {SchemaError} for every error of the schema. */
export function readShape(schema: JsonSchema, options: Pick<CompileOptions, 'refs' | 'dialect'>): Reading {
  const { refs = {}, dialect = 'draft-07' } = options;
  const reader = new ShapeReader(refs, dialectNamed(dialect));
  const shape = reader.readRoot(schema);
  reader.validators.complete();
  return { shape, validators: reader.validators };
}

class ShapeReader implements SubschemaReader {
  readonly registry: Registry;
  readonly validators: Validators;
  readonly shapes: Shape[] = [];
  readonly #byParts = new Map<string, Shape>();
  #depth = 0;
  #combinations = 0;

  constructor(refs: Readonly<Record<string, JsonSchema>>, dialect: Dialect) {
    this.registry = new Registry(refs, dialect);
    this.validators = new Validators(this.registry);
  }

  readRoot(schema: JsonSchema): Shape {
    if (typeof schema === 'boolean') return this.readBoolean(schema, '');
    if (!isSchemaObject(schema)) throw new SchemaError('a schema must be an object or a boolean', '');
    const root = this.registry.addRoot(schema);
    checkReferences(this.registry, root);
    return this.read([root]);
  }

  read(parts: readonly Part[], onlyType?: JsonType): Shape {
    const flat = flatten(this.registry, parts);
    const schemaPath = (flat !== false && flat.length === 1 ? flat[0]! : parts.at(-1)!).pointer;
    if (flat === false) return this.#add({ kind: 'never' }, schemaPath, false);
    const numbers = flat.length === 1 ? `${flat[0]!.number}` : flat.map((part) => part.number).join(' ');
    const key = onlyType === undefined ? numbers : `${numbers} ${onlyType}`;
    const known = this.#byParts.get(key);
    if (known !== undefined) return known;
    // The shape is stored before it is complete, so that a recursive schema finds it.
    const shape = this.#add({ kind: 'any' }, schemaPath, onlyType === undefined && isNullable(flat));
    this.#byParts.set(key, shape);
    if (++this.#depth > maxDepth) throw new SchemaError(tooDeep, schemaPath);
    Object.assign(shape, this.#readBody(flat, schemaPath, onlyType));
    this.#depth--;
    return shape;
  }

  readBoolean(schema: boolean, schemaPath: string): Shape {
    return this.#add({ kind: schema ? 'any' : 'never' }, schemaPath, false);
  }

  readAny(child: Part | boolean, schemaPath: string): Shape {
    return typeof child === 'boolean' ? this.readBoolean(child, schemaPath) : this.read([child]);
  }

  countCombination(schemaPath: string): void {
    if (++this.#combinations <= maxCombinations) return;
    throw new SchemaError(
      `conditions and choices that apply together must not have more than ${maxCombinations} outcomes`,
      schemaPath,
    );
  }

  #add(body: ShapeBody, schemaPath: string, nullable: boolean): Shape {
    // One literal for all kinds, because creating objects with many layouts is slow.
    const common = { kind: body.kind, number: this.shapes.length, schemaPath, nullable };
    const shape = Object.assign(common, body) as Shape;
    this.shapes.push(shape);
    return shape;
  }

  #readBody(flat: readonly Part[], schemaPath: string, onlyType: JsonType | undefined): ShapeBody {
    if (onlyType === undefined) {
      const decision = readDecision(this, flat);
      if (decision !== undefined)
        return readConditional(this, decision, schemaPath) ?? readChoice(this, decision);
    }
    const types = onlyType === undefined ? readTypes(flat, schemaPath) : [onlyType];
    const constant = readConstant(flat, schemaPath);
    if (constant !== undefined) {
      const body: ShapeBody = { kind: 'const', text: constant };
      return types.includes('null') && types.length > 1 ? this.#nullOr(body, schemaPath) : body;
    }
    if (onlyType === undefined && isOpen(flat)) return this.#readOpen(flat, schemaPath);
    if (types.length > 1) return this.#readUnion(flat, types);
    return this.#readType(flat, types[0], schemaPath);
  }

  #nullOr(body: ShapeBody, schemaPath: string): ShapeBody {
    return {
      kind: 'choice',
      branches: [
        { test: { kind: 'writable', type: 'null' }, shape: this.#add({ kind: 'null' }, schemaPath, false) },
        { test: { kind: 'always' }, shape: this.#add(body, schemaPath, false) },
      ],
    };
  }

  #readUnion(flat: readonly Part[], types: readonly JsonType[]): ShapeBody {
    // `null` is tested first, because the other types would convert it.
    const ordered = [...types.filter((type) => type === 'null'), ...types.filter((type) => type !== 'null')];
    const branches = ordered.map((type) => ({
      test: { kind: 'writable' as const, type },
      shape: this.read(flat, type),
    }));
    return { kind: 'choice', branches };
  }

  /** A schema without a type: the keywords apply to objects and lists, and all other values are written unchanged. */
  #readOpen(flat: readonly Part[], schemaPath: string): ShapeBody {
    const types = containers.filter(([, keywords]) =>
      flat.some((part) => keywords.some((name) => keyword(part, name) !== undefined)),
    );
    if (types.length === 0) return { kind: 'any' };
    const branches = types.map(([type]) => ({
      test: { kind: 'types' as const, types: [type] },
      shape: this.read(flat, type),
    }));
    const others = { test: { kind: 'always' as const }, shape: this.readBoolean(true, schemaPath) };
    return { kind: 'choice', branches: [...branches, others] };
  }

  #readType(flat: readonly Part[], type: JsonType | undefined, schemaPath: string): ShapeBody {
    if (type === undefined) return { kind: 'any' };
    if (type === 'object') return readObject(this, flat, schemaPath);
    if (type === 'array') return readArray(this, flat, schemaPath);
    if (type !== 'string') return { kind: type };
    const format = readCommon(flat, 'format', schemaPath);
    return { kind: 'string', format: dateFormats.includes(format) ? (format as DateFormat) : undefined };
  }
}

/** The value of a keyword for which all parts must have the same value. */
function readCommon(flat: readonly Part[], name: 'const' | 'format', schemaPath: string): unknown {
  let common: unknown;
  for (const { schema } of flat) {
    const value = schema[name];
    if (value === undefined) continue;
    if (common !== undefined && !isEqual(common, value)) {
      throw new SchemaError(
        `the schemas that apply here differ in their ${name}`,
        joinPointer(schemaPath, name),
      );
    }
    common = value;
  }
  return common;
}

/** All parts that contain `nullable` must allow null. */
function isNullable(flat: readonly Part[]): boolean {
  let isDeclared = false;
  for (const { schema } of flat) {
    if (schema.nullable === undefined) continue;
    if (schema.nullable !== true) return false;
    isDeclared = true;
  }
  return isDeclared;
}

function readConstant(flat: readonly Part[], schemaPath: string): string | undefined {
  const constant = readCommon(flat, 'const', schemaPath);
  if (constant === undefined) return undefined;
  const text = JSON.stringify(constant);
  if (text === undefined)
    throw new SchemaError('const must be a JSON value', joinPointer(schemaPath, 'const'));
  return text;
}
