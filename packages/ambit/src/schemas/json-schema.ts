/** Functions for JSON Schema that validation and serialization share: about subschemas, references and header names. */

import { isObject, isPlainObject } from '../shared/plain-object.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import { followReference, type SchemaLocation } from './reference-target.ts';

const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);
const subschemas = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const namedSubschemas = new Set(['definitions', '$defs', 'patternProperties']);

/** Keywords whose value is an object of schemas, with names that the user chooses. */
export const namedSchemas: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas'],
]);
/** Keywords whose value is data. */
export const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);

/**
 * Copies a schema, and replaces each direct subschema by what `map` returns for it. Values that are not schemas, such as those of
 * `enum` and `default`, stay.
 */
export function mapSubschemas(schema: unknown, map: (subschema: unknown) => unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  const mapped: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      if (schemaLists.has(keyword) || keyword === 'items' || keyword === 'prefixItems')
        mapped[keyword] = value.map(map);
    } else if (subschemas.has(keyword) || keyword === 'propertyNames') mapped[keyword] = map(value);
    else if (isObject(value) && (namedSubschemas.has(keyword) || propertySubschemas.has(keyword)))
      mapped[keyword] = Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, map(sub)]));
  }
  return mapped;
}
const propertySubschemas = new Set(['properties', 'dependentSchemas', 'dependencies']);

/**
 * Copies a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1).
 *
 * @param shared The shared schemas. Those that the schema refers to must be copied in the same way, because references get new names, too.
 */
export function lowerCaseHeaderNames(schema: unknown, shared: SharedSchemas = {}): unknown {
  return new HeaderNames(shared).copy(schema, { document: schema, pointer: '#' });
}

const lowerText = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

/** Names that differ only in case are one. A name that is repeated in one spelling stays so: the engine reports it. */
function lowerList(names: readonly unknown[]): unknown[] {
  const lowered = names.map(lowerText);
  return new Set(names).size === names.length ? [...new Set(lowered)] : lowered;
}

class HeaderNames {
  readonly #shared: SharedSchemas;
  /** Schemas of names that are being copied. They may refer to one another in circles. */
  readonly #open = new Set<unknown>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /** @param isName Whether the schema describes a header name. */
  copy(schema: unknown, location: SchemaLocation, isName = false): unknown {
    if (Array.isArray(schema)) return schema.map((item) => this.copy(item, location, isName));
    if (!isObject(schema)) return schema;
    const target = isName ? followReference(schema.$ref, location, this.#shared) : undefined;
    if (target !== undefined && !this.#open.has(target.schema)) {
      // The target may describe other values elsewhere, so it is copied to here.
      const { $ref, ...others } = schema;
      this.#open.add(target.schema);
      const names = this.copy(target.schema, target.location, true);
      this.#open.delete(target.schema);
      const beside = this.copy(others, location, true) as object;
      return Object.keys(beside).length === 0 ? names : { allOf: [names, beside] };
    }
    const copied: Record<string, unknown> = {};
    for (const [keyword, value] of Object.entries(schema)) {
      if (!(isName && keyword === '$id'))
        copied[keyword] = this.#copyKeyword(keyword, value, location, isName);
    }
    return copied;
  }

  #copyKeyword(keyword: string, value: unknown, location: SchemaLocation, isName: boolean): unknown {
    const copy = (sub: unknown): unknown => this.copy(sub, location, isName);
    if (keyword === '$ref') return typeof value === 'string' ? lowerReference(value) : value;
    if (keyword === 'required') return Array.isArray(value) ? lowerList(value) : value;
    if (keyword === 'propertyNames') return this.copy(value, location, true);
    if (schemaLists.has(keyword) || subschemas.has(keyword)) return copy(value);
    if (isName && keyword === 'enum' && Array.isArray(value)) return lowerList(value);
    if (isName && keyword === 'const') return lowerText(value);
    if (isName && keyword === 'pattern') return lowerPattern(value);
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    if (keyword === 'patternProperties')
      return Object.fromEntries(entries.map(([pattern, sub]) => [lowerPattern(pattern), copy(sub)]));
    if (keyword === 'properties' || keyword === 'dependentSchemas')
      return lowerKeys(entries.map(([name, sub]) => [name, copy(sub)]));
    if (keyword === 'dependencies' || keyword === 'dependentRequired') {
      const copyDependency = (sub: unknown): unknown => (Array.isArray(sub) ? lowerList(sub) : copy(sub));
      return lowerKeys(entries.map(([name, sub]) => [name, copyDependency(sub)]));
    }
    if (namedSubschemas.has(keyword))
      return Object.fromEntries(entries.map(([name, sub]) => [name, copy(sub)]));
    return value;
  }
}

/** Names that differ in case only are one header: all that is said of it holds. */
function lowerKeys(entries: readonly (readonly [name: string, value: unknown])[]): object {
  const lowered = new Map<string, unknown>();
  const asSchema = (value: unknown): unknown => (Array.isArray(value) ? { required: value } : value);
  for (const [name, value] of entries) {
    const key = name.toLowerCase();
    const other = lowered.get(key);
    if (other === undefined) lowered.set(key, value);
    else if (Array.isArray(other) && Array.isArray(value))
      lowered.set(key, [...new Set([...other, ...value])]);
    else lowered.set(key, { allOf: [asSchema(other), asSchema(value)] });
  }
  return Object.fromEntries(lowered);
}

/** A reference through `properties` contains a header name. */
function lowerReference(reference: string): string {
  const [id, pointer] = reference.split('#', 2) as [string, string?];
  if (pointer === undefined || !pointer.startsWith('/')) return reference;
  const steps = pointer.split('/');
  for (let at = 1; at < steps.length; at++) {
    const keyword = steps[at]!;
    if (!namedSchemas.has(keyword)) continue;
    at++;
    if (keyword === 'patternProperties' || namedSubschemas.has(keyword)) continue;
    if (steps[at] !== undefined) steps[at] = steps[at]!.toLowerCase();
  }
  return `${id}#${steps.join('/')}`;
}

/** An escape, the name of a group, or a capital letter. */
const patternTokens = /\\(?:[pP]\{[^}]*\}|k<[^>]*>|.)|\(\?<[A-Za-z_$][^>]*>|[A-Z]/g;

/** A regular expression for names in lower case. */
function lowerPattern<T>(pattern: T): T | string {
  if (typeof pattern !== 'string') return pattern;
  return pattern.replace(patternTokens, (token) => (token.length === 1 ? token.toLowerCase() : token));
}

/** Finds the first `$ref` to another document. */
export function findExternalReference(schema: unknown): string | undefined {
  return findReference(schema, (reference) => !reference.startsWith('#'));
}

/** Finds the first `$ref` that matches, anywhere in the schema. */
export function findReference(schema: unknown, matches: (reference: string) => boolean): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $ref: reference } = schema as { $ref?: unknown };
  if (typeof reference === 'string' && matches(reference)) return reference;
  for (const value of Object.values(schema)) {
    const found = findReference(value, matches);
    if (found !== undefined) return found;
  }
  return undefined;
}
