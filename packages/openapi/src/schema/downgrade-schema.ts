/**
 * Converts schemas from the dialect of OpenAPI 3.1 to that of 3.0. If 3.0 has no equivalent, the result accepts more
 * values, never fewer.
 */
import { isObject, type Json } from '../json.ts';
import { componentPrefix } from './components.ts';
import type { DescribedSchema } from './schema-location.ts';

/** Keywords that 3.0 cannot express. */
const lostKeywords: ReadonlySet<string> = new Set([
  'prefixItems',
  'patternProperties',
  'propertyNames',
  'contains',
  'minContains',
  'maxContains',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
/** Keywords that 3.0 cannot express either, but that do not affect which values are valid. */
const silentKeywords: ReadonlySet<string> = new Set([
  '$defs',
  '$comment',
  'contentSchema',
  'contentMediaType',
  'contentEncoding',
]);

interface Downgraded {
  readonly schema: Json;
  /** Whether the result accepts more values than the original. */
  readonly isWider: boolean;
}

/** References to components that accept more values in 3.0, as `$ref` texts. */
export type WiderReferences = ReadonlySet<unknown>;

export function downgradeSchema(schema: DescribedSchema, wider: WiderReferences): Json {
  return downgrade(schema, wider).schema;
}

/** The references to components that accept more values in 3.0, because of their own keywords or of components that they refer to. */
export function findWider(components: Readonly<Record<string, DescribedSchema>>): WiderReferences {
  const wider = new Set<unknown>();
  for (let before = -1; before < wider.size; ) {
    before = wider.size;
    for (const [name, schema] of Object.entries(components)) {
      if (downgrade(schema, wider).isWider) wider.add(componentPrefix + name);
    }
  }
  return wider;
}

function downgrade(schema: DescribedSchema, wider: WiderReferences): Downgraded {
  if (typeof schema === 'boolean') return { schema: schema ? {} : { not: {} }, isWider: false };
  const state: State = { out: {}, isWider: wider.has(schema.$ref), wider };
  for (const [keyword, value] of Object.entries(schema)) downgradeKeyword(state, keyword, value, schema);
  downgradeTuple(state, schema);
  downgradeType(state.out, schema.type);
  downgradeLimits(state.out, schema);
  return { schema: withoutSiblings(state.out), isWider: state.isWider };
}

interface State {
  readonly out: Json;
  isWider: boolean;
  readonly wider: WiderReferences;
}

function downgradeKeyword(state: State, keyword: string, value: unknown, schema: Json): void {
  const { out } = state;
  const inner = (sub: unknown): Json => {
    const { schema, isWider } = downgrade(sub as DescribedSchema, state.wider);
    state.isWider ||= isWider;
    return schema;
  };
  switch (keyword) {
    case 'type':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      break;
    case 'properties':
      out.properties = Object.fromEntries(
        Object.entries(value as Json).map(([name, sub]) => [name, inner(sub)]),
      );
      break;
    case 'additionalProperties':
      downgradeAdditional(state, value, schema, inner);
      break;
    case 'items':
      if (schema.prefixItems === undefined) out.items = inner(value);
      break;
    case 'allOf':
      addToAllOf(out, (value as unknown[]).map(inner));
      break;
    case 'anyOf':
      addAnyOf(out, (value as unknown[]).map(inner));
      break;
    case 'oneOf':
      downgradeOneOf(state, value as unknown[], inner);
      break;
    case 'not':
      downgradeNot(state, value);
      break;
    case 'const':
      out.enum = [value];
      break;
    case 'examples':
      if (Array.isArray(value) && value.length > 0) out.example = value[0];
      break;
    default:
      if (lostKeywords.has(keyword)) state.isWider = true;
      else if (!silentKeywords.has(keyword)) out[keyword] = value;
  }
  downgradeContent(out, keyword, value, schema);
}

/** Files and binary text: 3.0 has formats for them. */
function downgradeContent(out: Json, keyword: string, value: unknown, { format }: Json): void {
  if (keyword !== 'contentEncoding' || format !== undefined) return;
  if (value === 'base64') out.format = 'byte';
  else if (value === 'binary') out.format = 'binary';
}

/** For 3.0, properties that match a pattern are additional ones, so `additionalProperties` must not restrict them. */
function downgradeAdditional(
  state: State,
  value: unknown,
  schema: Json,
  inner: (sub: unknown) => Json,
): void {
  if (isObject(schema.patternProperties) && Object.keys(schema.patternProperties).length > 0) {
    const patterns = Object.values(schema.patternProperties).map(inner);
    const all = value === false ? patterns : [...patterns, inner(value)];
    state.out.additionalProperties = all.length === 1 ? all[0] : { anyOf: all };
    state.isWider = true;
  } else state.out.additionalProperties = typeof value === 'boolean' ? value : inner(value);
}

/** If a branch accepts more values, two branches may accept the same value and `oneOf` would fail. `anyOf` still accepts it. */
function downgradeOneOf(state: State, branches: unknown[], inner: (sub: unknown) => Json): void {
  const before = state.isWider;
  state.isWider = false;
  const downgraded = branches.map(inner);
  if (state.isWider) addAnyOf(state.out, downgraded);
  else state.out.oneOf = downgraded;
  state.isWider ||= before;
}

/** Adds alternatives to a schema, which may already have others. */
function addAnyOf(out: Json, branches: readonly Json[]): void {
  if (out.anyOf === undefined) out.anyOf = branches;
  else addToAllOf(out, [{ anyOf: branches }]);
}

function addToAllOf(out: Json, schemas: readonly Json[]): void {
  out.allOf = [...((out.allOf as Json[]) ?? []), ...schemas];
}

/** `not` with a wider schema would reject more values, so it is left out. */
function downgradeNot(state: State, value: unknown): void {
  const { schema, isWider } = downgrade(value as DescribedSchema, state.wider);
  if (isWider) state.isWider = true;
  else state.out.not = schema;
}

/** A tuple becomes a list whose items match any schema of the tuple. */
function downgradeTuple(state: State, { prefixItems, items }: Json): void {
  if (!Array.isArray(prefixItems)) return;
  const itemSchemas = items === false ? prefixItems : [...prefixItems, items ?? true];
  const all = itemSchemas.map((sub) => downgrade(sub, state.wider).schema);
  const isAnything = all.some((schema) => Object.keys(schema).length === 0);
  state.out.items = isAnything ? {} : all.length === 1 ? all[0] : { anyOf: all };
  const { maxItems } = state.out;
  if (items === false)
    state.out.maxItems = Math.min(
      prefixItems.length,
      typeof maxItems === 'number' ? maxItems : prefixItems.length,
    );
}

/** 3.0 ignores keywords next to a `$ref`. */
function withoutSiblings(schema: Json): Json {
  const { $ref, ...rest } = schema;
  if ($ref === undefined || Object.keys(rest).length === 0) return schema;
  const { allOf, ...others } = rest;
  return { allOf: [{ $ref }, ...((allOf as Json[]) ?? [])], ...others };
}

/** 3.0 has no `null` and no lists of types. */
function downgradeType(out: Json, declaredType: unknown): void {
  if (declaredType === undefined) return;
  const types = [declaredType].flat() as string[];
  const others = types.filter((type) => type !== 'null');
  const isNullable = others.length < types.length;
  if (others.length === 1) {
    out.type = others[0];
    if (isNullable) out.nullable = true;
  } else if (others.length === 0) {
    Object.assign(out, nullSchema());
  } else {
    const union = others.map((type) => (type === 'array' ? { type, items: {} } : { type }) as Json);
    if (isNullable) union.push(nullSchema());
    addAnyOf(out, union);
  }
  // 3.0 requires `items` if the type is an array.
  if (out.type === 'array') out.items ??= {};
}

/** A schema for null only. `nullable` has an effect only next to a type, so it needs one. */
function nullSchema(): Json {
  return { type: 'string', nullable: true, enum: [null] };
}

/** In 3.0, `exclusiveMinimum` and `exclusiveMaximum` are booleans next to the limits. */
function downgradeLimits(out: Json, { exclusiveMinimum, exclusiveMaximum, minimum, maximum }: Json): void {
  if (typeof exclusiveMinimum === 'number' && !(typeof minimum === 'number' && minimum > exclusiveMinimum)) {
    Object.assign(out, { minimum: exclusiveMinimum, exclusiveMinimum: true });
  }
  if (typeof exclusiveMaximum === 'number' && !(typeof maximum === 'number' && maximum < exclusiveMaximum)) {
    Object.assign(out, { maximum: exclusiveMaximum, exclusiveMaximum: true });
  }
}
