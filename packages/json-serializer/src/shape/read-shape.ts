/** Reads schemas into shapes: one shape per set of parts, so that recursive schemas become cyclic shapes. */
import {
  checkDocument,
  checkReferences,
  checkShared,
  type DialectName,
  defaultDialect,
  dialectNamed,
  isEqual,
  isSchemaObject,
  type JsonSchema,
  type JsonType,
  joinPointer,
  keyword,
  maxDepth,
  type Part,
  Registry,
  SchemaError,
  tooDeep,
  uriOf,
} from '@ambit/json-schema';
import type { CompileOptions } from '../serializer.ts';
import { Validators } from '../validate/validators.ts';
import { flatten, isOpen, readTypes } from './flatten.ts';
import { readArray } from './read-array.ts';
import { readChoice, readDecision } from './read-choice.ts';
import { readConditional } from './read-conditional.ts';
import { readObject } from './read-object.ts';
import type { DateFormat, Shape, ShapeBody } from './shape.ts';
import type { Test } from './test.ts';

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

type ReadOptions = Pick<CompileOptions, 'refs' | 'dialect'>;
type Refs = NonNullable<CompileOptions['refs']>;

/** @throws {SchemaError} for every error of the schema. */
export function readShape(schema: JsonSchema, { refs = {}, dialect = defaultDialect }: ReadOptions): Reading {
  return new ShapeReader(makeRegistry(refs, dialect)).readRoot(schema);
}

function makeRegistry(refs: Refs, dialectName: DialectName): Registry {
  const dialect = dialectNamed(dialectName);
  for (const [key, schema] of Object.entries(refs))
    if (isSchemaObject(schema)) checkShared(refs, schema, dialect, `${key}#`);
  return new Registry(refs, dialect);
}

/** The readers of shared schemas, by dialect. The key is the object with all of them. */
const sharedReaders = new WeakMap<Refs, Map<DialectName, ShapeReader>>();

/**
 * The same shape, but what is read of the shared schemas is kept for the next schema with the same `refs`. Otherwise each schema would read
 * again all that it refers to. The tests of branches are then not in the order of one schema, so they have no numbers.
 */
export function readSharingShape(schema: JsonSchema, options: ReadOptions): Reading {
  const { refs, dialect = defaultDialect } = options;
  if (refs === undefined || nameIsTaken(schema, refs)) return readShape(schema, options);
  const byDialect = sharedReaders.get(refs) ?? new Map<DialectName, ShapeReader>();
  sharedReaders.set(refs, byDialect);
  try {
    const shared = byDialect.get(dialect) ?? new ShapeReader(makeRegistry(refs, dialect));
    byDialect.set(dialect, shared);
    return new ShapeReader(shared.registry.extend(), shared).readRoot(schema);
  } catch (error) {
    // What was read so far is incomplete. Also, a shared schema may refer to this schema, which only reading both together finds.
    sharedReaders.delete(refs);
    if (error instanceof SchemaError) return readShape(schema, options);
    throw error;
  }
}

/** Whether a schema has the name of a shared schema, and hides it. */
function nameIsTaken(schema: JsonSchema, refs: Refs): boolean {
  if (!isSchemaObject(schema) || typeof schema.$id !== 'string') return false;
  const shared = refs[schema.$id] ?? refs[uriOf(schema)];
  return shared !== undefined && shared !== schema;
}

/** The state of a reading. Readers that have shapes in common have one object. */
interface ReadingState {
  shapes: number;
  depth: number;
  combinations: number;
  /** The last place at which no value is valid, because schemas contradict one another. */
  contradiction: SchemaError | undefined;
}

export class ShapeReader {
  readonly registry: Registry;
  readonly validators: Validators;
  readonly #shared: ShapeReader | undefined;
  readonly #byParts = new Map<string, Shape>();
  readonly #state: ReadingState;

  constructor(registry: Registry, shared?: ShapeReader) {
    this.registry = registry;
    this.#shared = shared;
    this.validators = new Validators(registry, shared?.validators);
    const start = { shapes: 0, depth: 0, combinations: 0, contradiction: undefined };
    this.#state = shared === undefined ? start : shared.#state;
  }

  readRoot(schema: JsonSchema): Reading {
    this.#state.combinations = 0;
    this.#state.contradiction = undefined;
    const { validators } = this;
    if (typeof schema === 'boolean') return { shape: this.readBoolean(schema, ''), validators };
    if (!isSchemaObject(schema)) throw new SchemaError('a schema must be an object or a boolean', '');
    checkDocument(schema, this.registry.dialect, '');
    const root = this.registry.addRoot(schema);
    checkReferences(this.registry, root);
    const shape = this.read([root]);
    // The last contradiction is that of the root, because the root is complete only after everything inside.
    const { contradiction } = this.#state;
    if (shape.kind === 'never' && contradiction !== undefined) throw contradiction;
    validators.complete();
    return { shape, validators };
  }

  /** The shape for all the given parts together. */
  read(parts: readonly Part[], onlyType?: JsonType): Shape {
    const flat = flatten(this.registry, parts);
    const schemaPath = (flat !== false && flat.length === 1 ? flat[0]! : parts.at(-1)!).pointer;
    if (flat === false) return this.#add({ kind: 'never' }, schemaPath, false);
    if (this.#shared !== undefined && flat.length > 0 && flat.every((part) => this.registry.isShared(part)))
      return this.#shared.read(flat, onlyType);
    const numbers = flat.length === 1 ? `${flat[0]!.number}` : flat.map((part) => part.number).join(' ');
    const key = onlyType === undefined ? numbers : `${numbers} ${onlyType}`;
    const known = this.#byParts.get(key);
    if (known !== undefined) return known;
    // The shape is stored before it is complete, so that a recursive schema finds it.
    const shape = this.#add({ kind: 'any' }, schemaPath, onlyType === undefined && isNullable(flat));
    this.#byParts.set(key, shape);
    if (++this.#state.depth > maxDepth) throw new SchemaError(tooDeep, schemaPath);
    Object.assign(shape, this.#readBody(flat, schemaPath, onlyType));
    this.#state.depth--;
    return shape;
  }

  /** The same for parts and boolean schemas. */
  readAll(schemas: readonly (Part | boolean)[], schemaPath: string): Shape {
    if (schemas.includes(false)) return this.readBoolean(false, schemaPath);
    const parts = schemas.filter((schema) => typeof schema !== 'boolean');
    return parts.length === 0 ? this.readBoolean(true, schemaPath) : this.read(parts);
  }

  /**
   * What is written if the schemas that apply to a value contradict one another: nothing, because no value is valid. This is an error of
   * the schema only at its root, because elsewhere other values may be valid.
   */
  contradict(message: string, parts: readonly Part[], schemaPath: string): ShapeBody {
    const places = parts
      .filter(({ schema }) => ['type', 'const', 'anyOf', 'oneOf', 'if'].some((name) => name in schema))
      .map(({ pointer, schema: { type, const: constant } }) => {
        const value = constant ?? type;
        return `${value === undefined ? '' : `${JSON.stringify(value)} at `}${pointer === '' ? 'the root' : pointer}`;
      });
    const text = `${message}, so no value is valid: ${places.join(', ')}`;
    this.#state.contradiction = new SchemaError(text, schemaPath);
    return { kind: 'never' };
  }

  readBoolean(schema: boolean, schemaPath: string): Shape {
    return this.#add({ kind: schema ? 'any' : 'never' }, schemaPath, false);
  }

  /** Must be called for each combination of several decisions that gets its own shape. */
  countCombination(schemaPath: string): void {
    if (++this.#state.combinations <= maxCombinations) return;
    throw new SchemaError(
      `conditions and choices that apply together must not have more than ${maxCombinations} outcomes`,
      schemaPath,
    );
  }

  #add(body: ShapeBody, schemaPath: string, nullable: boolean): Shape {
    // One literal for all kinds, because creating objects with many layouts is slow.
    const common = { kind: body.kind, number: this.#state.shapes++, schemaPath, nullable };
    return Object.assign(common, body) as Shape;
  }

  #readBody(flat: readonly Part[], schemaPath: string, onlyType: JsonType | undefined): ShapeBody {
    if (onlyType === undefined) {
      const decision = readDecision(this, flat);
      if (decision !== undefined)
        return readConditional(this, decision, schemaPath) ?? readChoice(this, decision, schemaPath);
    }
    const contradict = (problem: string, name: string) =>
      this.contradict(`the schemas that apply here ${problem}`, flat, joinPointer(schemaPath, name));
    const types = onlyType === undefined ? readTypes(flat) : [onlyType];
    if (types === undefined) return contradict('have no type in common', 'type');
    const constant = readConstant(flat, schemaPath);
    if (constant === false) return contradict('differ in their const', 'const');
    if (constant !== undefined) {
      const body: ShapeBody = { kind: 'const', text: constant };
      return types.includes('null') && types.length > 1 ? this.#nullOr(body, schemaPath) : body;
    }
    if (onlyType === undefined && isOpen(flat)) return this.#readOpen(flat, schemaPath);
    if (types.length > 1) return this.#readUnion(flat, types);
    const body = this.#readType(flat, types[0], schemaPath);
    const isInferred = onlyType === undefined && flat.every((part) => keyword(part, 'type') === undefined);
    return isInferred && (body.kind === 'string' || body.kind === 'number')
      ? this.#readInferred(body, schemaPath)
      : body;
  }

  /** The keywords for strings and numbers accept every array and object, so these are not converted. */
  #readInferred(body: ShapeBody, schemaPath: string): ShapeBody {
    const any = this.readBoolean(true, schemaPath);
    const own = this.#add(body, schemaPath, false);
    return choose([isA('array'), any], [isWritable('string'), own], [isA('object'), any], [always, own]);
  }

  #nullOr(body: ShapeBody, schemaPath: string): ShapeBody {
    const whenNull = this.#add({ kind: 'null' }, schemaPath, false);
    return choose([isWritable('null'), whenNull], [always, this.#add(body, schemaPath, false)]);
  }

  #readUnion(flat: readonly Part[], types: readonly JsonType[]): ShapeBody {
    // `null` is tested first, because the other types would convert it.
    const ordered = [...types.filter((type) => type === 'null'), ...types.filter((type) => type !== 'null')];
    return choose(...ordered.map((type): Branch => [isWritable(type), this.read(flat, type)]));
  }

  /** A schema without a type: the keywords apply to objects and lists, and all other values are written unchanged. */
  #readOpen(flat: readonly Part[], schemaPath: string): ShapeBody {
    const types = containers.filter(([, keywords]) =>
      flat.some((part) => keywords.some((name) => keyword(part, name) !== undefined)),
    );
    if (types.length === 0) return { kind: 'any' };
    const branches = types.map(([type]): Branch => [isA(type), this.read(flat, type)]);
    return choose(...branches, [always, this.readBoolean(true, schemaPath)]);
  }

  #readType(flat: readonly Part[], type: JsonType | undefined, schemaPath: string): ShapeBody {
    if (type === undefined) return { kind: 'any' };
    if (type === 'object') return readObject(this, flat, schemaPath);
    if (type === 'array') return readArray(this, flat, schemaPath);
    if (type !== 'string') return { kind: type };
    const format = flat.map((part) => part.schema.format).find((each) => dateFormats.includes(each));
    return { kind: 'string', format: format as DateFormat | undefined };
  }
}

type Branch = readonly [test: Test, shape: Shape];

function choose(...branches: readonly Branch[]): ShapeBody {
  return { kind: 'choice', branches: branches.map(([test, shape]) => ({ test, shape })) };
}

const always: Test = { kind: 'always' };
const isA = (type: JsonType): Test => ({ kind: 'types', types: [type] });
const isWritable = (type: JsonType): Test => ({ kind: 'writable', type });

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

/** The text of the constant; undefined if there is none; false if the parts have different ones. */
function readConstant(flat: readonly Part[], schemaPath: string): string | false | undefined {
  const [constant, ...others] = flat.flatMap(({ schema }) =>
    schema.const === undefined ? [] : [schema.const],
  );
  if (constant === undefined) return undefined;
  const text = JSON.stringify(constant);
  if (text === undefined)
    throw new SchemaError('const must be a JSON value', joinPointer(schemaPath, 'const'));
  return others.every((other) => isEqual(constant, other)) && text;
}
