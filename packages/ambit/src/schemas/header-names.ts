/** The names of headers in schemas: in lower case, as node delivers them. */
import {
  followReference,
  isNamedSchemas,
  keywords,
  type SchemaLocation,
  type SharedSchemas,
} from '@ambit/json-schema';
import { isObject } from '../shared/values.ts';

/**
 * Copies a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1).
 *
 * @param shared The shared schemas. Those that the schema refers to must be copied in the same way, because references get new names, too.
 */
export function lowerCaseHeaderNames(schema: unknown, shared: SharedSchemas = {}): unknown {
  return new HeaderNames(shared).copy(schema, { document: schema, pointer: '#' });
}

/** Keywords whose schemas have names that are no header names. */
const definitions = ['definitions', '$defs'];

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
    const { contains } = keywords.get(keyword) ?? {};
    if (contains === 'schema' || contains === 'list' || contains === 'items') return copy(value);
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
    if (definitions.includes(keyword))
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
    if (!isNamedSchemas(keyword)) continue;
    at++;
    if (keyword === 'patternProperties' || definitions.includes(keyword)) continue;
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
