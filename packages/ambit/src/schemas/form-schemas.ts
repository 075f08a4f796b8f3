/**
 * Files in JSON Schema: which schemas describe a file, which fields of a form are files, where there can be none, and the keyword by which
 * Ajv accepts files.
 */
import {
  followReference,
  mapSchema,
  pointerOf,
  type SchemaLocation,
  type Subschema,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import type { Ajv } from 'ajv';
import { isInRange } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SharedSchemas, ValidationProblem } from '../types/compilers.ts';
import type { FormShape } from '../types/multipart.ts';
import type { ContentSchemas, SuspectSchemas } from './content-schemas.ts';
import type { RequestSchemas } from './request-schemas.ts';
import type { SchemaPart } from './shared-references.ts';

/** `{ type: 'string', format: 'binary' }` is a file if the media type can contain one (OpenAPI 3.0, "Considerations for File Uploads"). */
export function isBinary(schema: unknown): schema is JsonSchema {
  if (!isPlainObject(schema) || schema.format !== 'binary') return false;
  const { type = 'string' } = schema;
  return [type].flat().includes('string');
}

/** The keyword by which `acceptFiles` replaces the format `binary`. */
const fileKeyword = 'uploadedFile';

/** What a schema requires of a file. */
interface FileDemands {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly contentMediaType?: string;
  readonly nullable?: true;
}

/**
 * Copies a schema, so that every string of the format `binary` is a file. The keywords that are for strings are moved into one keyword. All
 * others stay, so that references still find their targets.
 */
export function acceptFiles(schema: unknown): unknown {
  const mapped = isPlainObject(schema) ? mapSchema(schema, (inner) => acceptFiles(inner)) : schema;
  if (!isBinary(mapped)) return mapped;
  const { type, format, pattern, contentEncoding, minLength, maxLength, contentMediaType, ...rest } = mapped;
  const { nullable, ...others } = rest;
  const isNullable = nullable === true || [type].flat().includes('null');
  const demands = { minLength, maxLength, contentMediaType, nullable: isNullable || undefined };
  // Without `undefined` values, because an artifact contains only what JSON can express.
  return { ...others, [fileKeyword]: JSON.parse(JSON.stringify(demands)) };
}

/** The kinds of values that the schemas of a field allow. Several schemas may apply to one field. */
interface FieldKinds {
  isFile: boolean;
  isList: boolean;
  isObject: boolean;
  isText: boolean;
}

/** Reads what a schema says about the fields of a form. */
export function readFormShape(schema: unknown, shared: SharedSchemas): FormShape {
  const fields = new Map<string, FieldKinds>();
  const alternatives = (each: unknown, location: SchemaLocation): Iterable<SchemaPart> => {
    const visited = new Set<unknown>();
    return alternativesOf(each, location, shared, (part) => visited.size !== visited.add(part).size);
  };
  for (const { schema: form, location } of alternatives(schema, { document: schema, pointer: '#' })) {
    for (const [name, field] of Object.entries(Object(form.properties))) {
      const kinds = fields.get(name) ?? { isFile: false, isList: false, isObject: false, isText: false };
      fields.set(name, kinds);
      for (const { schema: value, location: at } of alternatives(field, location)) {
        addKind(kinds, value);
        if (value.type !== 'array') continue;
        kinds.isList = true;
        for (const items of [value.items, value.prefixItems].flat())
          for (const item of alternatives(items, at)) addKind(kinds, item.schema);
      }
    }
  }
  return {
    isFile: (field) => fields.get(field)?.isFile,
    isText: (field) => fields.get(field)?.isText === true,
    isList: (field) => fields.get(field)?.isList === true,
    isObject: (field) => fields.get(field)?.isObject === true && !fields.get(field)!.isText,
  };
}

function addKind(kinds: FieldKinds, schema: JsonSchema): void {
  kinds.isFile ||= isBinary(schema);
  kinds.isObject ||= schema.type === 'object';
  kinds.isText ||= schema.type === 'string' && !isBinary(schema);
}

/** Keywords in which no files are searched: they say what a value is not, or only what it is under a condition. */
const unsearched: ReadonlySet<string> = new Set([
  ...['not', 'dependencies', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/**
 * Yields a schema, the targets of its references and its branches.
 *
 * @param isNew Records a visit, because schemas may refer to one another in circles.
 */
function* alternativesOf(
  schema: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
  isNew: (schema: JsonSchema, location: SchemaLocation) => boolean,
): Generator<SchemaPart> {
  if (!isPlainObject(schema) || !isNew(schema, location)) return;
  yield { schema, location };
  const target = followReference(schema.$ref, location, shared);
  if (target !== undefined) yield* alternativesOf(target.schema, target.location, shared, isNew);
  for (const inner of subschemasOf(schema)) {
    if (inner.appliesTo !== 'same' || unsearched.has(inner.keyword)) continue;
    const at = { ...location, pointer: pointerOf(inner, location.pointer) };
    yield* alternativesOf(inner.schema, at, shared, isNew);
  }
}

/** A schema that describes a file where there can be none. */
interface MisplacedFile {
  /** The name of the part in messages: `body`, `response 200 (application/json)`. */
  readonly part: string;
  /** A JSON Pointer in a URI fragment, with the `$id` of a shared schema in front. */
  readonly schemaPath: string;
}

/** What the search needs besides the schemas. */
interface FileSearchOptions {
  readonly shared: SharedSchemas;
  readonly suspects: SuspectSchemas;
  /** Whether the framework reads the forms of the route. A parser of the application may represent files in another way. */
  readonly readsForms: boolean;
}

/**
 * Finds a file where none is possible: only fields of forms can be files, and a body or reply that is not JSON can be a file as a whole.
 */
export function findMisplacedFile(
  { body, ...parts }: RequestSchemas,
  response: ReadonlyMap<string, ContentSchemas>,
  { shared, suspects, readsForms }: FileSearchOptions,
): MisplacedFile | undefined {
  const searched: [part: string, schema: unknown, allowed: readonly Level[]][] = [];
  for (const [part, schema] of Object.entries(parts)) searched.push([part, schema, []]);
  const replies = [...response].map(([status, entry]) => [`response ${status}`, entry] as const);
  for (const [part, entry] of [['body', body] as const, ...replies]) {
    if (entry === undefined) continue;
    // A reply may be a stream or bytes. A body without `content` is JSON.
    if ('forAllTypes' in entry) searched.push([part, entry.forAllTypes, part === 'body' ? [] : ['whole']]);
    else
      for (const [type, schema] of entry.byType) {
        if (type.startsWith('multipart/') && !(part === 'body' && readsForms)) continue;
        searched.push([`${part} (${type})`, schema, filesIn(type)]);
      }
  }
  for (const [part, schema, allowed] of searched) {
    if (!suspects.mayHaveFile(schema)) continue;
    const schemaPath = findFile(schema, allowed, shared);
    if (schemaPath !== undefined) return { part, schemaPath };
  }
  return undefined;
}

/** Where a value is: the whole, a field of it, an item of a field that is an array, or further inside. */
type Level = 'whole' | 'field' | 'item' | 'inside';

/** Which values of a media type may be files. */
function filesIn(type: string): readonly Level[] {
  if (type.startsWith('multipart/')) return ['field', 'item'];
  return type === 'application/x-www-form-urlencoded' || /[/+]json$/.test(type) ? [] : ['whole'];
}

/** The level of the schemas that describe a part of a value. */
function levelInside({ appliesTo }: Subschema, level: Level): Level | undefined {
  if (appliesTo === 'properties') return level === 'whole' ? 'field' : 'inside';
  if (appliesTo === 'items') return level === 'field' ? 'item' : 'inside';
  return undefined;
}

/** Returns the pointer of the first file that is not allowed. */
function findFile(schema: unknown, allowed: readonly Level[], shared: SharedSchemas): string | undefined {
  const visitsAt = (level: Level): Visits => new Visits(shared, `files ${allowed} ${level}`);
  const visits = {
    whole: visitsAt('whole'),
    field: visitsAt('field'),
    item: visitsAt('item'),
    inside: visitsAt('inside'),
  };
  const find = (part: unknown, location: SchemaLocation, level: Level): string | undefined => {
    const isNew = (each: JsonSchema, at: SchemaLocation): boolean => visits[level].add(each, at);
    for (const { schema: each, location: at } of alternativesOf(part, location, shared, isNew)) {
      if (isBinary(each) && !allowed.includes(level)) return at.pointer;
      for (const inner of isBinary(each) ? [] : subschemasOf(each)) {
        const innerLevel = levelInside(inner, level);
        if (innerLevel === undefined || unsearched.has(inner.keyword)) continue;
        const pointer = pointerOf(inner, at.pointer);
        const found = find(inner.schema, { ...at, pointer }, innerLevel);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return find(schema, { document: schema, pointer: '#' }, 'whole');
}

/** Adds the keyword to Ajv. */
export function addFileKeyword(ajv: Ajv): void {
  ajv.addKeyword({ keyword: fileKeyword, schemaType: 'object', errors: 'full', validate: validateFile });
}

/** The function that Ajv calls. Ajv then reads the errors of the call from the property `errors`. */
interface KeywordValidator {
  (demands: FileDemands, data: unknown): boolean;
  errors?: Partial<ValidationProblem>[];
}

export const validateFile: KeywordValidator = (demands, data) => {
  if (data === null && demands.nullable) return true;
  const problem = data instanceof File ? checkFile(data, demands) : notFile;
  if (problem === undefined) return true;
  validateFile.errors = [problem];
  return false;
};

const notFile = { keyword: 'format', params: { format: 'binary' }, message: 'must be a file' };

/** OpenAPI 3.1.1, 4.8.14.4: the length of binary data is its number of octets. */
function checkFile(
  { size, type }: File,
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY, contentMediaType }: FileDemands,
): Partial<ValidationProblem> | undefined {
  if (size > maxLength)
    return problem('maxLength', { limit: maxLength }, `must NOT be larger than ${maxLength} bytes`);
  if (size < minLength)
    return problem('minLength', { limit: minLength }, `must NOT be smaller than ${minLength} bytes`);
  if (contentMediaType === undefined || isOneOf(contentMediaType, type)) return undefined;
  const message = `must be a file of type ${contentMediaType}, but is ${type}`;
  return problem('contentMediaType', { contentMediaType }, message);
}

function problem(keyword: string, params: object, message: string): Partial<ValidationProblem> {
  return { keyword, params: params as Record<string, unknown>, message };
}

/** Whether a type is in a list of types and ranges, separated by commas, as in OpenAPI's encoding objects. */
function isOneOf(ranges: string, type: string): boolean {
  return ranges.split(',').some((range) => isInRange(range.trim().toLowerCase(), type));
}
