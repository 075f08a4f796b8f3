/** Explains why a schema does not compile: where in the schema the mistake is, and how to correct it. */
import type { SharedSchemas } from '../contract/compiler.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import { encodeStep } from './json-pointer.ts';
import { dataKeywords, namedSchemas } from './json-schema.ts';
import type { PartFailure } from './schema-build-error.ts';
import { keywordNames, keywordsInShortForm } from './short-form.ts';
import { formatNames, typeNames } from './validation/ajv-names.ts';

/** What can be said about a failure besides the message of the engine. */
export interface Explanation {
  /** A JSON Pointer in a URI fragment, with the `$id` of a shared schema in front; `undefined` if the engine does not report it. */
  readonly schemaPath: string | undefined;
  readonly advice: string | undefined;
}

const maxListedIds = 20;

export function explainFailure({ schema, cause }: PartFailure, shared: SharedSchemas): Explanation {
  const { message = '', schemaPath } = Object(cause) as { message?: unknown; schemaPath?: unknown };
  const text = String(message);
  const reportedPath = typeof schemaPath === 'string' ? `#${schemaPath}` : undefined;
  const keyword = /unknown keyword: "([^"]+)"/.exec(text)?.[1];
  if (keyword !== undefined) return explainKeyword(keyword, schema, shared);
  const reference = (/can't resolve reference (\S+?):? /.exec(text) ??
    /Cannot find reference "([^"]+)"/.exec(text))?.[1];
  if (reference !== undefined) {
    const schemaPath = reportedPath ?? findIn(schema, shared, ({ $ref }) => $ref === reference);
    return { schemaPath, advice: adviseReference(reference, shared) };
  }
  const format = /unknown format "([^"]+)" .*at path "([^"]+)"/.exec(text);
  if (format !== null) return { schemaPath: format[2], advice: didYouMean(format[1]!, formatNames) };
  const invalid = /schema is invalid: data(\/\S*)? /.exec(text);
  if (invalid === null) return { schemaPath: reportedPath, advice: undefined };
  return { schemaPath: `#${invalid[1] ?? ''}`, advice: adviseType(schema, invalid[1] ?? '') };
}

function explainKeyword(keyword: string, schema: unknown, shared: SharedSchemas): Explanation {
  const schemaPath = findIn(schema, shared, (part) => Object.hasOwn(part, keyword));
  const [misusedKeyword] = keywordsInShortForm(schema);
  const advice =
    misusedKeyword === undefined
      ? didYouMean(keyword, keywordNames)
      : `'${misusedKeyword}' is a keyword, so this is not the short form: list the names under \`properties\``;
  return { schemaPath, advice };
}

function adviseReference(reference: string, shared: SharedSchemas): string | undefined {
  const [id] = reference.split('#', 1);
  if (id === '') return undefined;
  const ids = Object.keys(shared);
  if (ids.length === 0) return 'no shared schema is visible here';
  const listed = ids.slice(0, maxListedIds).map((each) => `'${each}'`);
  const more = ids.length > maxListedIds ? ` and ${ids.length - maxListedIds} more` : '';
  const visible = `the shared schemas visible here are ${listed.join(', ')}${more}`;
  return Object.hasOwn(shared, id!) ? visible : [didYouMean(id!, ids), visible].filter(Boolean).join(' ');
}

/** Suggests the name of a type: misspelled types are the most common reason why the meta-schema rejects a schema. */
function adviseType(schema: unknown, pointer: string): string | undefined {
  if (!pointer.endsWith('/type')) return undefined;
  let value: unknown = schema;
  for (const step of pointer.split('/').slice(1)) value = (Object(value) as Record<string, unknown>)[step];
  return typeof value === 'string' ? didYouMean(value, typeNames) : undefined;
}

function didYouMean(name: string, names: Iterable<string>): string | undefined {
  const nearest = nearestName(name, names);
  return nearest === undefined || nearest === name ? undefined : `did you mean '${nearest}'?`;
}

/** Finds the path of the first subschema that matches, in the schema itself or else in a shared schema. */
function findIn(
  schema: unknown,
  shared: SharedSchemas,
  matches: (part: Record<string, unknown>) => boolean,
): string | undefined {
  const found = findPart(schema, '#', matches);
  if (found !== undefined) return found;
  for (const [id, other] of Object.entries(shared)) {
    const path = findPart(other, `${id}#`, matches);
    if (path !== undefined) return path;
  }
  return undefined;
}

function findPart(
  schema: unknown,
  pointer: string,
  matches: (part: Record<string, unknown>) => boolean,
  isNamed = false,
): string | undefined {
  if (Array.isArray(schema)) return findFirst(schema.entries(), pointer, matches);
  if (!isPlainObject(schema)) return undefined;
  if (isNamed) return findFirst(Object.entries(schema), pointer, matches);
  if (matches(schema)) return pointer;
  for (const [keyword, value] of Object.entries(schema)) {
    if (dataKeywords.has(keyword)) continue;
    const found = findPart(value, `${pointer}/${encodeStep(keyword)}`, matches, namedSchemas.has(keyword));
    if (found !== undefined) return found;
  }
  return undefined;
}

function findFirst(
  parts: Iterable<readonly [number | string, unknown]>,
  pointer: string,
  matches: (part: Record<string, unknown>) => boolean,
): string | undefined {
  for (const [name, part] of parts) {
    const found = findPart(part, `${pointer}/${encodeStep(String(name))}`, matches);
    if (found !== undefined) return found;
  }
  return undefined;
}
