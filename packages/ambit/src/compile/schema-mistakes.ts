/**
 * Searches the schemas of a route for what they may say and is almost certainly a mistake: files where there can be none, required
 * properties that are not declared, and response schemas that cannot take the errors of the framework.
 */
import {
  branchLists,
  DeclaredNames,
  declares,
  followReference,
  partsOf,
  pointerOf,
  type SchemaLocation,
  type Subschema,
  subschemasOf,
  Visits,
} from '@ambit/json-schema';
import type { AppState } from '../context/app-state.ts';
import { type ContextNode, errorFormatOf } from '../context/context-node.ts';
import { type RouteRecord, routePlace } from '../context/routes/add-route.ts';
import {
  type ContentSchemas,
  eachSchema,
  namePart,
  type SuspectSchemas,
} from '../schemas/content-schemas.ts';
import { isBinary, unsearched } from '../schemas/form-schemas.ts';
import type { RequestSchemas } from '../schemas/request-schemas.ts';
import { statusText } from '../shared/http-facts.ts';
import { nearestName } from '../shared/nearest-name.ts';
import { messageOf } from '../shared/thrown-values.ts';
import { isPlainObject } from '../shared/values.ts';
import type { JsonSchema, SerializerFunction, SharedSchemas } from '../types/compilers.ts';
import { FileMisplaced } from '../types/errors.ts';
import type { ResponseSerializers } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import { warnErrorSchema, warnUndeclared } from '../types/warnings.ts';

/** The schemas of a route that are searched. */
export interface SearchedSchemas {
  readonly request: RequestSchemas;
  readonly response: ReadonlyMap<string, ContentSchemas>;
  readonly suspects: SuspectSchemas;
  /** Whether a compiler that is not the default one compiles them. */
  readonly hasCustomValidator: boolean;
  readonly hasCustomSerializer: boolean;
  /** Whether the framework reads the forms of the route. */
  readonly readsForms: boolean;
}

/**
 * Refuses a file where none is possible: only fields of forms can be files, and a body or reply that is not JSON can be a file as a whole.
 * It does not search in Fastify's flavor or for other validators: `binary` may mean anything there.
 *
 * @throws {FileMisplaced}
 */
export function rejectMisplacedFile(
  record: RouteRecord,
  { request, response, suspects, readsForms, hasCustomValidator }: SearchedSchemas,
): void {
  const { app, schemas } = record.node;
  if (hasCustomValidator || !app.compatibility.checksDeclarations) return;
  const reject = (part: string, schema: unknown, files: Files): void => {
    if (!suspects.get(schema)?.mayHaveFile) return;
    const schemaPath = findFile(schema, files, schemas.visible);
    if (schemaPath === undefined) return;
    throw FileMisplaced.at({ where: { ...routePlace(record), part, schemaPath } }, part, schemaPath);
  };
  const rejectIn = (part: string, entry: ContentSchemas): void => {
    // A reply may be a stream or bytes. A body without `content` is JSON.
    if ('forAllTypes' in entry) reject(part, entry.forAllTypes, part === 'body' ? 'none' : 'whole');
    else
      for (const [type, schema] of entry.byType) {
        // A parser of the application may represent files in another way.
        const isUnknownForm = type.startsWith('multipart/') && !(part === 'body' && readsForms);
        if (!isUnknownForm) reject(namePart(part, type), schema, filesIn(type));
      }
  };
  const { body, ...parts } = request;
  for (const [part, schema] of Object.entries(parts)) reject(part, schema, 'none');
  if (body !== undefined) rejectIn('body', body);
  for (const [status, entry] of response) rejectIn(`response ${status}`, entry);
}

/** Which values may be files: none, the value as a whole, or the fields of a form. */
type Files = 'none' | 'whole' | 'fields';

function filesIn(type: string): Files {
  if (type.startsWith('multipart/')) return 'fields';
  return type === 'application/x-www-form-urlencoded' || /[/+]json$/.test(type) ? 'none' : 'whole';
}

/** Where a value is: the whole, a field of it, an item of a field that is an array, or further inside. */
type Level = 'whole' | 'field' | 'item' | 'inside';

const allowedLevels: Readonly<Record<Files, readonly Level[]>> = {
  none: [],
  whole: ['whole'],
  fields: ['field', 'item'],
};

/** The level of the values that a subschema describes; `undefined` if they cannot be files. */
function levelInside({ appliesTo, keyword }: Subschema, level: Level): Level | undefined {
  if (unsearched.has(keyword)) return undefined;
  if (appliesTo === 'same') return level;
  if (appliesTo === 'properties') return level === 'whole' ? 'field' : 'inside';
  return appliesTo === 'items' ? (level === 'field' ? 'item' : 'inside') : undefined;
}

/** Returns the pointer of the first file that is not allowed: a JSON Pointer in a URI fragment, with the `$id` of a shared schema in front. */
function findFile(schema: unknown, files: Files, shared: SharedSchemas): string | undefined {
  const visits = new Map<Level, Visits>();
  const isNew = (part: JsonSchema, location: SchemaLocation, level: Level): boolean => {
    if (!visits.has(level)) visits.set(level, new Visits(shared, `files ${files} ${level}`));
    return visits.get(level)!.add(part, location);
  };
  const find = (part: unknown, location: SchemaLocation, level: Level): string | undefined => {
    if (!isPlainObject(part) || !isNew(part, location, level)) return undefined;
    if (isBinary(part)) return allowedLevels[files].includes(level) ? undefined : location.pointer;
    const target = followReference(part.$ref, location, shared);
    const referred = target && find(target.schema, target.location, level);
    if (referred !== undefined) return referred;
    for (const inner of subschemasOf(part)) {
      const innerLevel = levelInside(inner, level);
      if (innerLevel === undefined) continue;
      const at = { document: location.document, pointer: pointerOf(inner, location.pointer) };
      const found = find(inner.schema, at, innerLevel);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return find(schema, { document: schema, pointer: '#' }, 'whole');
}

/** Warns of properties that a schema requires but does not declare. Most are misspelled, and nothing else reports them. */
export function reportUndeclared(
  { options, node: { app, schemas } }: RouteRecord,
  { request, response, suspects, hasCustomValidator, hasCustomSerializer }: SearchedSchemas,
): void {
  const searchFor = (others: Others, describe: (found: Undeclared) => string | undefined) => {
    return (schema: unknown, part: string): void => {
      if (!suspects.get(schema)?.mayMissNames) return;
      const search = new UndeclaredSearch(schemas.visible, others, (found) => {
        const problem = describe(found);
        if (problem === undefined || !isNew(app, found)) return;
        const suggestion = found.nearest === undefined ? '' : `. Did you mean '${found.nearest}'?`;
        const place = `the ${part} schema of ${options.method} ${options.url}, at ${found.pointer},`;
        warnUndeclared(`${place} requires '${found.name}', ${problem}${suggestion}`);
      });
      search.visit(schema, { document: schema, pointer: '#' });
    };
  };
  const { mode, customOptions } = app.options.ajv;
  if (!hasCustomValidator && mode === undefined) {
    const removal = customOptions?.removeAdditional ?? true;
    const others = removal === 'all' ? 'always' : removal ? 'removed' : 'refused';
    const search = searchFor(others, describeRequest);
    search(request.params, 'params');
    search(request.querystring, 'querystring');
    search(request.headers, 'headers');
    if (request.body !== undefined) eachSchema(request.body, 'body', search);
  }
  if (!hasCustomSerializer)
    for (const [status, entry] of response)
      eachSchema(entry, `response ${status}`, searchFor('merged', describeResponse));
}

/** If other properties are allowed, a required property need not be declared. Then it is only reported if a declared name is similar. */
function describeRequest({ effect, nearest }: Undeclared): string | undefined {
  if (effect === 'never') return 'which additionalProperties forbids: every request fails';
  if (effect === 'removed') return 'which it does not declare: it is removed before the handler runs';
  return nearest === undefined ? undefined : 'which it does not declare';
}

function describeResponse(): string {
  return 'which it does not declare: a reply without this property fails, and a reply with it is sent without it';
}

/** The mistakes that are reported: the names, by the schema that requires them. Many routes may use one schema. */
const reportedIn = new WeakMap<AppState, WeakMap<JsonSchema, Set<string>>>();

/** Whether a mistake is found for the first time in this application. */
function isNew(app: AppState, { schema, name }: Undeclared): boolean {
  const reported = reportedIn.get(app) ?? new WeakMap<JsonSchema, Set<string>>();
  reportedIn.set(app, reported);
  const names = reported.get(schema) ?? new Set();
  reported.set(schema, names);
  return names.size !== names.add(name).size;
}

/** A property that is required and not declared. */
interface Undeclared {
  readonly name: string;
  /** The schema that requires it. */
  readonly schema: JsonSchema;
  /** Where it is required, as a JSON Pointer in a URI fragment: `#/properties/owner`. */
  readonly pointer: string;
  /**
   * `never`: no value is valid, because the schema forbids what it requires. `removed`: the property is removed after validation.
   * `open`: the property is allowed, but not declared.
   */
  readonly effect: 'never' | 'removed' | 'open';
  /** A property with a similar name that is declared and not required. */
  readonly nearest: string | undefined;
}

/**
 * What happens to properties that an object does not declare. `refused`, `removed`: they are rejected or removed if `additionalProperties`
 * is false. `always`: they are always removed. `merged`: all schemas for one object count as one, and only what they declare is written.
 */
type Others = 'refused' | 'removed' | 'always' | 'merged';

/** Keywords whose schemas describe other values: members and items. */
const valueKeywords: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'additionalProperties', 'items', 'additionalItems'],
]);

/**
 * Finds properties that a schema requires but does not declare. One can be found several times, because a schema is checked together with
 * each schema that refers to it.
 */
class UndeclaredSearch {
  readonly #shared: SharedSchemas;
  readonly #others: Others;
  readonly #report: (found: Undeclared) => void;
  readonly #checked: Visits;
  readonly #entered: Visits;

  constructor(shared: SharedSchemas, others: Others, report: (found: Undeclared) => void) {
    this.#shared = shared;
    this.#others = others;
    this.#report = report;
    this.#checked = new Visits(shared, `names ${others}`);
    this.#entered = new Visits(shared, `parts ${others}`);
  }

  visit(schema: unknown, location: SchemaLocation): void {
    if (!isPlainObject(schema) || !this.#checked.add(schema, location)) return;
    // A reference alone adds nothing to its target.
    const target = isReference(schema) ? followReference(schema.$ref, location, this.#shared) : undefined;
    if (target !== undefined) this.visit(target.schema, target.location);
    else {
      if (!isUnion(schema)) this.#check(schema, location);
      this.#visitParts(schema, location);
    }
  }

  #visitParts(schema: unknown, location: SchemaLocation): void {
    if (!isPlainObject(schema) || !this.#entered.add(schema, location)) return;
    for (const inner of subschemasOf(schema)) {
      const { keyword } = inner;
      const at = { ...location, pointer: pointerOf(inner, location.pointer) };
      const describesOther = valueKeywords.has(keyword) || (isUnion(schema) && keyword !== 'allOf');
      if (!valueKeywords.has(keyword) && !branchLists.includes(keyword)) continue;
      if (describesOther) this.visit(inner.schema, at);
      else this.#visitParts(inner.schema, at);
    }
    // The target of a reference applies to the same object, so it was checked together with it.
    const target = followReference(schema.$ref, location, this.#shared);
    if (target !== undefined) this.#visitParts(target.schema, target.location);
  }

  #check(schema: JsonSchema, location: SchemaLocation): void {
    const parts = partsOf(schema, location, this.#shared);
    const required = new Set(parts.flatMap((part) => namesIn(part.schema.required)));
    if (required.size === 0) return;
    const declared = new DeclaredNames(schema, location, this.#shared);
    // Such a schema may only add requirements to another schema.
    if (declared.names.size === 0 && parts.every((part) => part.schema.type !== 'object')) return;
    const unrequired = [...declared.names].filter((name) => !required.has(name));
    for (const [at, { schema: requiring, location: place }] of parts.entries()) {
      for (const name of namesIn(requiring.required)) {
        // The first part that forbids the name decides: validation fails if it comes before the part that requires the name.
        const forbidding = parts.findIndex(
          (part) => this.#isClosed(part.schema) && !declares(part.schema, name),
        );
        if (forbidding === -1 && (declared.isOpen || declared.has(name))) continue;
        const isFatal = this.#others === 'refused' || forbidding < at;
        const effect = forbidding === -1 ? 'open' : isFatal ? 'never' : 'removed';
        const nearest = nearestName(name, unrequired);
        this.#report({ name, schema: requiring, pointer: place.pointer, effect, nearest });
      }
    }
  }

  #isClosed({ additionalProperties, properties }: JsonSchema): boolean {
    if (this.#others === 'always' && additionalProperties === undefined) return properties !== undefined;
    return this.#others !== 'merged' && additionalProperties === false;
  }
}

/** Whether a schema only lists branches, which describe different objects. */
function isUnion(schema: JsonSchema): boolean {
  return !('properties' in schema) && !('required' in schema) && ('anyOf' in schema || 'oneOf' in schema);
}

function isReference(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) =>
    ['$ref', 'title', 'description', '$comment'].includes(keyword),
  );
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

const errorSchemas = {
  json: "{ type: 'object', properties: { statusCode: { type: 'integer' }, code: { type: 'string' }, error: { type: 'string' }, message: { type: 'string' } } }",
  problem:
    "{ type: 'object', properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' }, instance: { type: 'string' }, code: { type: 'string' } } }",
};
const mediaTypes = { json: 'application/json', problem: 'application/problem+json' };

/** What serializers have said about a sample: `null` if they can write it. Many routes share the serializer of an error schema. */
const results = new WeakMap<SerializerFunction, string | null>();

/**
 * Warns of response schemas that cannot take errors of the framework which the route may answer with.
 *
 * @param statuses The statuses of these errors.
 */
export function checkErrorSchemas(
  serializers: ResponseSerializers,
  route: RegisteredRoute,
  node: ContextNode,
  statuses: readonly number[],
): void {
  if (node.setting('errorHandler') !== undefined || route.errorHandler) return;
  const format = errorFormatOf(node);
  const failed: number[] = [];
  let reason: string | null = null;
  for (const status of statuses) {
    const serialize = serializers.pick(status, mediaTypes[format]);
    if (serialize === undefined) continue;
    if (!results.has(serialize)) results.set(serialize, tryToWrite(serialize, status));
    const problem = results.get(serialize)!;
    if (problem === null) continue;
    failed.push(status);
    reason = problem;
  }
  if (reason !== null) {
    const name = `${[route.method].flat()} ${route.url}`;
    warnErrorSchema(name, failed.join(', '), reason, errorSchemas[format]);
  }
}

/** The members are not enumerable, as those of a real error, so that no tool is told that the schema drops some of them. */
function tryToWrite(serialize: SerializerFunction, status: number): string | null {
  const [title, code, text] = [statusText(status), 'AMBIT_ERR', 'text'];
  const members = {
    ...{ statusCode: status, code, error: title, message: text },
    ...{ type: 'about:blank', title, status, detail: text, instance: '#req-1', validation: [], errors: [] },
  };
  const sample = Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }])),
  );
  try {
    serialize(sample as never);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
