/** Files in JSON Schema: which schemas describe a file, which fields of a form are files, and the keyword by which Ajv accepts files. */
import { followReference, mapSchema, type SchemaLocation, subschemasOf } from '@ambit/json-schema';
import { isInRange } from '../shared/media-type.ts';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SharedSchemas, ValidationProblem } from '../types/compilers.ts';
import type { FormShape } from '../types/multipart.ts';

/** `{ type: 'string', format: 'binary' }` is a file if the media type can contain one (OpenAPI 3.0, "Considerations for File Uploads"). */
export function isBinary({ format, type = 'string' }: JsonSchema): boolean {
  return format === 'binary' && [type].flat().includes('string');
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
  if (!isPlainObject(schema)) return schema;
  const mapped = mapSchema(schema, (inner) => acceptFiles(inner));
  if (!isBinary(mapped)) return mapped;
  const { type, format, pattern, contentEncoding, minLength, maxLength, contentMediaType, ...rest } = mapped;
  const { nullable, ...others } = rest;
  const isNullable = nullable === true || [type].flat().includes('null');
  const demands = { minLength, maxLength, contentMediaType, nullable: isNullable || undefined };
  // Without `undefined` values, because an artifact contains only what JSON can express.
  return { ...others, [fileKeyword]: JSON.parse(JSON.stringify(demands)) };
}

/** A kind of value that the schemas of a field allow. Several schemas may apply to one field. */
type FieldKind = 'file' | 'list' | 'object' | 'text';

/** Reads what a schema says about the fields of a form. */
export function readFormShape(schema: unknown, shared: SharedSchemas): FormShape {
  const fields = new Map<string, Set<FieldKind>>();
  eachAlternative(schema, { document: schema, pointer: '#' }, shared, (form, location) => {
    for (const [name, field] of Object.entries(Object(form.properties))) {
      const kinds = fields.get(name) ?? new Set();
      fields.set(name, kinds);
      eachAlternative(field, location, shared, (value, valueLocation) => {
        addKind(kinds, value);
        if (value.type !== 'array') return;
        kinds.add('list');
        for (const items of [value.items, value.prefixItems].flat())
          eachAlternative(items, valueLocation, shared, (item) => addKind(kinds, item));
      });
    }
  });
  return {
    isFile: (field) => fields.get(field)?.has('file'),
    isText: (field) => fields.get(field)?.has('text') === true,
    isList: (field) => fields.get(field)?.has('list') === true,
    isObject: (field) => fields.get(field)?.has('object') === true && !fields.get(field)!.has('text'),
  };
}

function addKind(kinds: Set<FieldKind>, schema: JsonSchema): void {
  if (isBinary(schema)) kinds.add('file');
  else if (schema.type === 'string') kinds.add('text');
  if (schema.type === 'object') kinds.add('object');
}

/** Keywords in which no files are searched: they say what a value is not, or only what it is under a condition. */
export const unsearched: ReadonlySet<string> = new Set([
  ...['not', 'dependencies', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
]);

/** Calls `use` with the schema, the targets of its references and its branches. Schemas may refer to one another in circles. */
function eachAlternative(
  schema: unknown,
  location: SchemaLocation,
  shared: SharedSchemas,
  use: (schema: JsonSchema, location: SchemaLocation) => void,
  visited: Set<unknown> = new Set(),
): void {
  if (!isPlainObject(schema) || visited.has(schema)) return;
  visited.add(schema);
  use(schema, location);
  const target = followReference(schema.$ref, location, shared);
  if (target !== undefined) eachAlternative(target.schema, target.location, shared, use, visited);
  for (const { schema: branch, keyword, appliesTo } of subschemasOf(schema)) {
    if (appliesTo === 'same' && !unsearched.has(keyword))
      eachAlternative(branch, location, shared, use, visited);
  }
}

/** Adds the keyword to Ajv. */
export function addFileKeyword(ajv: { addKeyword(definition: object): unknown }): void {
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
