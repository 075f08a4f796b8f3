/** Reads the keywords of objects: properties, patternProperties, additionalProperties, required, default. */
import {
  compilePattern,
  isSchemaObject,
  joinPointer,
  keyword,
  type Part,
  references,
  SchemaError,
  type SchemaObject,
} from '@ambit/json-schema';
import { flatten, readChild } from './flatten.ts';
import type { ShapeReader } from './read-shape.ts';
import type { PatternShape, PropertyShape, Shape, ShapeBody } from './shape.ts';

export function readObject(reader: ShapeReader, flat: readonly Part[], schemaPath: string): ShapeBody {
  const required = new Set(flat.flatMap(readRequired));
  const patterns = readPatterns(reader, flat);
  const named = new Map<string, (Part | boolean)[]>();
  for (const part of flat) {
    for (const name of Object.keys(readMap(part, 'properties'))) {
      if (!named.has(name)) named.set(name, readProperty(reader, flat, name));
    }
  }
  const properties: PropertyShape[] = [];
  for (const [name, children] of named) {
    const property = makeProperty(reader, name, children, required.has(name), schemaPath);
    if (property !== undefined) properties.push(property);
  }
  properties.sort((left, right) => Number(right.isRequired) - Number(left.isRequired));
  const forbidden = [...named].filter(([, children]) => children.includes(false)).map(([name]) => name);
  return {
    kind: 'object',
    properties,
    patterns: [...forbidPatterns(reader, forbidden, schemaPath), ...patterns],
    additional: readAdditional(reader, flat),
    otherRequired: [...required].filter((name) => !named.has(name)),
  };
}

/** Undefined for the schema `false`: no value is allowed, so nothing is written. */
export function makeProperty(
  reader: ShapeReader,
  name: string,
  children: readonly (Part | boolean)[],
  isRequired: boolean,
  schemaPath: string,
): PropertyShape | undefined {
  if (children.includes(false)) return undefined;
  const shape = reader.readAll(children, joinPointer(schemaPath, name));
  const defaults = children.map((child) =>
    typeof child === 'boolean' ? undefined : readDefault(reader, child),
  );
  return { name, shape, isRequired, defaultText: defaults.find((text) => text !== undefined) };
}

/** Everything that applies to a property: its declarations, and for a part without one, its pattern or `additionalProperties`. */
export function readProperty(reader: ShapeReader, flat: readonly Part[], name: string): (Part | boolean)[] {
  const found: (Part | boolean)[] = [];
  for (const part of flat) {
    const properties = readMap(part, 'properties');
    if (Object.hasOwn(properties, name)) {
      found.push(readChild(reader.registry, part, properties[name], 'properties', name));
    } else if (flat.length > 1) {
      found.push(...readUndeclared(reader, part, name));
    }
  }
  return found;
}

// `additionalProperties: false` of one part does not remove what another part declares, because `allOf` is used to
// extend schemas.
function readUndeclared(reader: ShapeReader, part: Part, name: string): Part[] {
  for (const [source, schema] of Object.entries(readMap(part, 'patternProperties'))) {
    if (!readPattern(part, source).test(name)) continue;
    const child = readChild(reader.registry, part, schema, 'patternProperties', source);
    return typeof child === 'boolean' ? [] : [child];
  }
  const rest = keyword(part, 'additionalProperties');
  return isSchemaObject(rest) ? [reader.registry.child(part, rest, 'additionalProperties')] : [];
}

function readPatterns(reader: ShapeReader, flat: readonly Part[]): PatternShape[] {
  const bySource = new Map<string, { pattern: RegExp; children: (Part | boolean)[] }>();
  for (const part of flat) {
    for (const [source, schema] of Object.entries(readMap(part, 'patternProperties'))) {
      const entry = bySource.get(source) ?? { pattern: readPattern(part, source), children: [] };
      entry.children.push(readChild(reader.registry, part, schema, 'patternProperties', source));
      bySource.set(source, entry);
    }
  }
  return [...bySource.values()].map(({ pattern, children }) => ({
    pattern,
    shape: reader.readAll(children, ''),
  }));
}

function readAdditional(reader: ShapeReader, flat: readonly Part[]): Shape | undefined {
  const children = flat.flatMap((part) => {
    const schema = keyword(part, 'additionalProperties');
    return schema === undefined ? [] : [readChild(reader.registry, part, schema, 'additionalProperties')];
  });
  if (children.length === 0) return readUnevaluated(reader, flat);
  return children.includes(false) ? undefined : reader.readAll(children, '');
}

/**
 * The schema of 2020-12 for properties to which no other keyword applies (`unevaluatedProperties`). The innermost one
 * that allows any is used, because it is evaluated first.
 */
function readUnevaluated(reader: ShapeReader, flat: readonly Part[]): Shape | undefined {
  const owner = flat.findLast(allowsUnevaluated);
  if (owner === undefined) return undefined;
  const schema = keyword(owner, 'unevaluatedProperties');
  return reader.readAll([readChild(reader.registry, owner, schema, 'unevaluatedProperties')], '');
}

function allowsUnevaluated(part: Part): boolean {
  if (part.base.dialect.name === 'draft-07') return false;
  const schema = keyword(part, 'unevaluatedProperties');
  return schema !== undefined && schema !== false;
}

/** Names with the schema `false` must not come back with a pattern or as additional properties. */
function forbidPatterns(reader: ShapeReader, names: readonly string[], schemaPath: string): PatternShape[] {
  if (names.length === 0) return [];
  const escaped = names.map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return [
    { pattern: new RegExp(`^(?:${escaped.join('|')})$`), shape: reader.readBoolean(false, schemaPath) },
  ];
}

/** The default of a property: that of the target of its `$ref`, or else the one next to the `$ref`. */
function readDefault(reader: ShapeReader, part: Part): string | undefined {
  const { schema } = part;
  if (references(part).length === 0)
    return schema.default === undefined ? undefined : JSON.stringify(schema.default);
  const flat = flatten(reader.registry, [reader.registry.without(part, 'allOf')]);
  const owner = flat === false ? undefined : flat.find((each) => each.schema.default !== undefined);
  return owner === undefined ? undefined : JSON.stringify(owner.schema.default);
}

export function readRequired(part: Part): string[] {
  const names = keyword(part, 'required');
  if (names === undefined) return [];
  if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  throw new SchemaError('required must be a list of property names', joinPointer(part.pointer, 'required'));
}

export function readMap(part: Part, name: string): SchemaObject {
  const map = keyword(part, name);
  if (map === undefined) return {};
  if (isSchemaObject(map)) return map;
  throw new SchemaError(`${name} must be an object of schemas`, joinPointer(part.pointer, name));
}

function readPattern(part: Part, source: string): RegExp {
  return compilePattern(source, joinPointer(joinPointer(part.pointer, 'patternProperties'), source));
}
