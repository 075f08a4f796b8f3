/**
 * Replaces how Ajv reads some keywords: numbers must be finite, `multipleOf` is exact for decimal numbers, names that every object has are
 * read as own ones, the words of OpenAPI have the meaning that OpenAPI gives them, and the code for long lists is not nested too deeply.
 */
import {
  followReference,
  isAnnotation,
  isDataKeyword,
  isNamedSchemas,
  isPlainObject,
  partsOf,
  type SchemaLocation,
  type SchemaObject,
  type SchemaPart,
} from '@ambit/json-schema';
import { type Discriminator, isMultipleOf, readDiscriminator } from '@ambit/json-serializer/runtime';
import { _, type Ajv, type KeywordCxt, Name, str, stringify } from 'ajv';
import { SchemaRefused } from './errors.ts';
import type { SharedSchemas } from './options.ts';
import { keywordsWithOk, segmentSize, trackedKeywords } from './schema-precheck.ts';

type KeywordCode = (context: KeywordCxt, ruleType?: string) => void;

/** Replaces the function that writes the code of a keyword. `write` calls the replaced one. */
export function replaceCode(
  engine: Ajv,
  keyword: string,
  replacement: (context: KeywordCxt, write: () => void) => void,
): void {
  // Each Ajv has its own copies of the definition: one for each type that the keyword applies to.
  for (const rule of engine.RULES.rules.flatMap(({ rules }) => rules)) {
    const definition = rule.definition as { code?: KeywordCode };
    if (rule.keyword !== keyword || definition.code === undefined) continue;
    const { code } = definition;
    definition.code = (context, ruleType) => replacement(context, () => code(context, ruleType));
  }
}

/**
 * Makes the types `number` and `integer` refuse what has overflowed. Ajv converts the text `1e999` to `Infinity`, and then skips all
 * keywords for numbers, because `Infinity` is none to it.
 */
export function refuseOverflow(engine: Ajv): void {
  const definition = engine.getKeyword('type');
  if (typeof definition !== 'object') return;
  Object.assign(definition, {
    error: {
      message: ({ schema }: KeywordCxt) => `must be ${schema}`,
      params: ({ schemaValue }: KeywordCxt) => _`{type: ${schemaValue}}`,
    },
    code(context: KeywordCxt) {
      const types: readonly unknown[] = [context.schema].flat();
      if (types.includes('number') || types.includes('integer')) {
        context.fail(_`typeof ${context.data} == "number" && !isFinite(${context.data})`);
      }
    },
  });
}

const namingKeywords = ['required', 'properties', 'dependencies', 'dependentRequired', 'dependentSchemas'];

/**
 * Makes Ajv look at own properties where a schema has a name such as `constructor`, which every object inherits. Ajv's option
 * `ownProperties` does the same for all names, and costs time for each of them.
 */
export function readOwnNames(engine: Ajv): void {
  for (const keyword of namingKeywords) {
    replaceCode(engine, keyword, (context, write) => {
      const { schema, it } = context;
      // With `$data`, the names are in the data.
      const names = context.$data ? Object.getOwnPropertyNames(Object.prototype) : namesIn(schema);
      if (!names.some((name) => name in Object.prototype)) return write();
      assignOwnDefaults(context);
      const { opts } = it;
      Object.assign(it, { opts: { ...opts, ownProperties: true } });
      write();
      Object.assign(it, { opts });
    });
  }
  // Ajv reads the names that branches have evaluated from an object: one without inherited names.
  replaceCode(engine, 'unevaluatedProperties', ({ gen, it: { props } }, write) => {
    if (props instanceof Name) {
      gen.if(_`${props} && ${props} !== true`, _`${props} = {__proto__: null, ...${props}}`);
    }
    write();
  });
}

/** The names in a list, or the names of an object and those in the lists that it contains. */
function namesIn(schema: unknown): string[] {
  if (Array.isArray(schema)) return schema;
  return Object.entries(Object(schema)).flatMap(([name, value]) =>
    Array.isArray(value) ? [name, ...value] : [name],
  );
}

/** Ajv assigns a default only where it reads `undefined`, which it does not for an inherited property. */
function assignOwnDefaults({ gen, data, parentSchema, it }: KeywordCxt): void {
  if (!it.opts.useDefaults || it.compositeRule) return;
  for (const [name, property] of Object.entries(Object(parentSchema.properties))) {
    const { default: value } = Object(property) as { default?: unknown };
    // Assigned, `__proto__` would be the prototype.
    if (value === undefined || name === '__proto__' || !(name in Object.prototype)) continue;
    gen.if(
      _`!Object.prototype.hasOwnProperty.call(${data}, ${name})`,
      _`${data}[${name}] = ${stringify(value)}`,
    );
  }
}

/** Makes `multipleOf` exact for decimal numbers, unless the application sets Ajv's own option for them. */
export function addExactMultiples(ajv: Ajv): void {
  if (ajv.opts.multipleOfPrecision !== undefined) return;
  replaceCode(ajv, 'multipleOf', (context) => {
    const { gen, data, schemaCode } = context;
    const isMultiple = gen.scopeValue('func', {
      ref: isMultipleOf,
      code: _`require("@ambit/json-serializer/runtime").isMultipleOf`,
    });
    context.fail$data(_`!${isMultiple}(${data}, ${schemaCode})`);
  });
}

/**
 * Copies a schema as Ajv can read it: words that only describe become known to Ajv, and `nullable` beside no `type` is left out, because it
 * has no effect there (OpenAPI 3.0.3, "nullable").
 */
export function readOpenApi<T>(schema: T, ajv: Ajv): T {
  return copyForAjv(schema, ajv, false) as T;
}

/** @param isNamed Whether the value is an object of schemas by names that the user chooses. */
function copyForAjv(value: unknown, ajv: Ajv, isNamed: boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => copyForAjv(item, ajv, false));
  if (!isPlainObject(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const [name, member] of Object.entries(value)) {
    if (isNamed) copy[name] = copyForAjv(member, ajv, false);
    else if (isAnnotation(name)) ajv.RULES.keywords[name] = true;
    else if (!isDataKeyword(name)) copy[name] = copyForAjv(member, ajv, isNamedSchemas(name));
  }
  if (!isNamed && copy.type === undefined && typeof copy.nullable === 'boolean') delete copy.nullable;
  return copy;
}

/** Called for a format that Ajv does not know, with the path of its schema. */
export type FormatListener = (format: string, schemaPath: string) => void;

/**
 * Ignores unknown formats, as JSON Schema and OpenAPI demand of validators. With the option `strict` or `strictSchema`, Ajv refuses them.
 */
export function ignoreUnknownFormats(ajv: Ajv, onUnknown: FormatListener): void {
  replaceCode(ajv, 'format', (context, write) => {
    const { schema, $data, it } = context;
    const isUnknown = !$data && it.opts.validateFormats !== false && ajv.formats[schema] === undefined;
    if (!isUnknown) write();
    // Ajv names a schema without `$id` "#".
    else onUnknown(schema, it.errSchemaPath.replace(/^#/, `${it.baseId.replace(/#$/, '')}#`));
  });
}

/** Makes `discriminator` select the branch of the `oneOf` or `anyOf` beside it. */
export function addDiscriminator(ajv: Ajv, shared: SharedSchemas): void {
  ajv.addKeyword({
    keyword: 'discriminator',
    schemaType: 'object',
    error: {
      message: ({ params }) => str`must have a known value in "${params.propertyName}"`,
      params: ({ params }) =>
        _`{propertyName: ${params.propertyName}, allowedValues: ${params.allowedValues}}`,
    },
    code: (context) => writeDiscriminator(context, shared),
  });
  skipDiscriminated(ajv, shared);
}

/** Leaves out the code of a `oneOf` or `anyOf` whose branch `discriminator` selects. To be called after other code was wrapped. */
export function skipDiscriminated(ajv: Ajv, shared: SharedSchemas): void {
  for (const keyword of branchKeywords) {
    replaceCode(ajv, keyword, (context, write) => {
      if (readChoice(context, shared)?.keyword !== keyword) write();
    });
  }
}

const branchKeywords = ['oneOf', 'anyOf'] as const;

/** A keyword with branches, and the values that select them. */
interface Choice extends Discriminator {
  readonly keyword: string;
  /** The branches for values that are not objects. */
  readonly others: readonly number[];
}

/** Writes code that validates an object with the branch that its property selects, and other values with the remaining branches. */
function writeDiscriminator(context: KeywordCxt, shared: SharedSchemas): void {
  const choice = readChoice(context, shared);
  if (choice === undefined) return;
  const { keyword, propertyName, tags, others } = choice;
  const { gen, data } = context;
  const allowedValues = gen.scopeValue('schema', { ref: tags.flat() });
  context.setParams({ propertyName: _`${propertyName}`, allowedValues });
  const valid = gen.let('valid', false);
  const validate = (schemaProp: number): void => {
    const isBranchValid = gen.name('_valid');
    const branch = context.subschema({ keyword, schemaProp }, isBranchValid);
    gen.assign(valid, isBranchValid);
    context.mergeEvaluated(branch, Name);
  };
  const selectBranch = (): void => {
    const tag = gen.const('tag', _`${data}[${propertyName}]`);
    gen.if(false);
    for (const [branch, values] of tags.entries()) {
      if (values.length === 0) continue;
      gen.elseIf(values.map((value) => _`${tag} === ${value}`).reduce((all, one) => _`${all} || ${one}`));
      validate(branch);
    }
    gen.else();
    context.error();
    gen.endIf();
  };
  const validateOther = (): void => {
    for (const branch of others) gen.if(_`!${valid}`, () => validate(branch));
    if (others.length === 0) context.error();
  };
  gen.if(_`${data} && typeof ${data} == "object" && !Array.isArray(${data})`, selectBranch, validateOther);
  context.ok(valid);
}

/** Returns `undefined` if the keyword does not select a branch for every object: then all branches decide, as without it. */
function readChoice({ parentSchema, it }: KeywordCxt, shared: SharedSchemas): Choice | undefined {
  const keyword = branchKeywords.find((name) => Array.isArray(parentSchema[name]));
  if (keyword === undefined || !('discriminator' in parentSchema)) return undefined;
  const branches = parentSchema[keyword] as unknown[];
  const location = { document: it.schemaEnv.root.schema, pointer: '#' };
  const discriminator = readDiscriminator(parentSchema.discriminator, (name) =>
    branches.map((branch) => {
      const { $ref, $id } = Object(branch) as SchemaObject;
      const reference = [$ref, $id].find((each) => typeof each === 'string') as string | undefined;
      return { reference, constants: constantsOf(name, branch, location, shared) };
    }),
  );
  if (discriminator === undefined) return undefined;
  const others = [...branches.keys()].filter((at) => discriminator.tags[at]!.length === 0);
  return others.every((at) => isNeverObject(branches[at]))
    ? { ...discriminator, keyword, others }
    : undefined;
}

/** The values that a branch allows for a property; `undefined` if a reference in it leads nowhere. */
function constantsOf(
  name: string,
  branch: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
): unknown[] | undefined {
  const parts = partsOf(branch, location, shared);
  const inProperty = parts.flatMap(({ schema: { properties }, location: at }) =>
    isPlainObject(properties) && Object.hasOwn(properties, name) ? partsOf(properties[name], at, shared) : [],
  );
  const isUnknown = ({ schema: { $ref }, location: at }: SchemaPart): boolean =>
    $ref !== undefined && followReference($ref, at, shared) === undefined;
  if ([...parts, ...inProperty].some(isUnknown)) return undefined;
  return inProperty.reverse().flatMap(({ schema }) => valuesOf(schema));
}

function valuesOf({ const: constant, enum: list }: SchemaObject): unknown[] {
  return constant === undefined ? [list ?? []].flat() : [constant];
}

function isNeverObject(branch: unknown): boolean {
  const { type } = Object(branch) as SchemaObject;
  return type !== undefined && ![type].flat().includes('object');
}

/*
 * How deeply the code is nested: Ajv opens a block for each property and each branch, inside the previous one, and V8 recurses into each
 * block when it compiles the function, at the first call. Without a limit, a request could overflow the stack.
 */

/** V8 overflows the stack from about 1,400 blocks on, or fewer if much of the stack is in use. */
const maxBlocks = 1_000;
/** Shorter code cannot be nested that deeply, because each block takes at least 16 characters. */
const minDeepCodeLength = 16 * maxBlocks;

/** Makes an Ajv close its blocks after each segment of a list, so that long lists do not overflow the stack. */
export function writeInSegments(engine: Ajv): void {
  for (const keyword of keywordsWithOk) {
    replaceLongCode(engine, keyword, writeSegments);
  }
  replaceLongCode(engine, 'anyOf', (context, write) => {
    // If a branch accepts anything, Ajv writes no code.
    if (context.schema.some((branch: unknown) => acceptsAnything(branch, engine))) write();
    else writeUnion(context);
  });
}

/** Replaces the code for long lists of a keyword. */
function replaceLongCode(
  engine: Ajv,
  keyword: string,
  writeLong: (context: KeywordCxt, write: () => void) => void,
): void {
  replaceCode(engine, keyword, (context, write) => {
    const isLong = countEntries(keyword, context.schema) > segmentSize;
    // With `allErrors` nothing is nested.
    const isTracked = context.it.opts.unevaluated === true && trackedKeywords.includes(keyword);
    const needsOwnCode = context.allErrors || isTracked;
    if (isLong && !needsOwnCode) writeLong(context, write);
    else write();
  });
}

/** `items` may be a single schema instead of a list. */
function countEntries(keyword: string, schema: unknown): number {
  if (Array.isArray(schema)) return schema.length;
  return keyword === 'properties' ? Object.keys(Object(schema)).length : 0;
}

/** Closes the blocks after each segment. All entries pass the same variable to `ok`, which stays false after an entry has failed. */
function writeSegments(context: KeywordCxt, write: () => void): void {
  const { gen } = context;
  const ok = context.ok.bind(context);
  let entries = 0;
  let last: Parameters<typeof ok>[0] | undefined;
  gen.block();
  context.ok = (condition) => {
    const isFull = ++entries % segmentSize === 0;
    if (isFull) gen.endBlock();
    ok(condition);
    if (isFull) gen.block();
    last = condition;
  };
  write();
  gen.endBlock();
  context.ok = ok;
  if (last !== undefined) ok(last);
}

function acceptsAnything(branch: unknown, engine: Ajv): boolean {
  if (typeof branch !== 'object' || branch === null) return branch === true;
  return Object.keys(branch).every((keyword) => !engine.RULES.all[keyword]);
}

/** Writes the same code for `anyOf` as Ajv, but with a block for each segment. */
function writeUnion(context: KeywordCxt): void {
  const { gen, keyword } = context;
  const branches = context.schema as readonly unknown[];
  const valid = gen.let('valid', false);
  const isBranchValid = gen.name('_valid');
  gen.block(() => {
    for (let from = 0; from < branches.length; from += segmentSize) {
      gen.if(_`!${valid}`);
      gen.block(() => {
        for (let at = from; at < Math.min(from + segmentSize, branches.length); at++) {
          context.subschema({ keyword, schemaProp: at, compositeRule: true }, isBranchValid);
          gen.assign(valid, _`${valid} || ${isBranchValid}`);
          gen.if(_`!${valid}`);
        }
      });
    }
  });
  context.result(
    valid,
    () => context.reset(),
    () => context.error(true),
  );
}

/** @throws {SchemaRefused} if V8 could overflow the stack while it compiles the code. */
export function checkNesting(code: string): string {
  if (code.length < minDeepCodeLength) return code;
  let blocks = 0;
  for (let at = 0; at < code.length; at++) {
    const character = code[at];
    if (character === '"') at = endOfText(code, at);
    else if (character === '}') blocks--;
    else if (character === '{' && ++blocks > maxBlocks) throw new SchemaRefused('TOO_LARGE');
  }
  return code;
}

/** Returns the position of the quote that ends a string. */
function endOfText(code: string, start: number): number {
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (code[at] === '"') return at;
  }
  return code.length;
}
