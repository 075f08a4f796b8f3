/** Describes the responses of a route: those that the route declares, and those that its contexts declare. */
import { STATUS_CODES } from 'node:http';
import { isPlainObject } from '@ambit/json-schema';
import type { ResponseObject } from '../document-types.ts';
import { copyJson, isObject, type Json } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { isFullSchema } from '../schema/plain-schema.ts';
import { annotationsOf, type ContentDescriber, contentOf } from './content.ts';
import type { DocumentedRoute, UpgradeOptions } from './documented-route.ts';
import type { Part, PartDescriber } from './part-describer.ts';

/** Fields of an entry that belong to the response and not to its schema. */
const responseFields = ['headers', 'links', 'x-response-description'];

export class ResponseDescriber {
  readonly #parts: PartDescriber;
  readonly #content: ContentDescriber;

  constructor(parts: PartDescriber, content: ContentDescriber) {
    this.#parts = parts;
    this.#content = content;
  }

  /** @throws {OpenAPIError} */
  describe(documented: DocumentedRoute, hint: string): { [status: string]: ResponseObject } {
    const { route, schema, inherited } = documented;
    const { links, websocket, wsHandler } = route.options as { links?: unknown } & UpgradeOptions;
    const declared = websocket === true ? { 101: undefined, ...Object(schema.response) } : schema.response;
    const entries = entriesOf(declared, inherited.responses);
    if (wsHandler !== undefined && !entries.some(([key]) => key === '101'))
      entries.unshift(['101', undefined]);
    const responses = emptyByStatus();
    for (const [key, entry] of entries) {
      const status = key === 'default' ? key : key.toUpperCase();
      const part: Part = {
        route,
        name: `response ${key}`,
        side: 'output',
        hint: status === '200' ? `${hint}Response` : `${hint}Response${status}`,
      };
      responses[status] = this.#parts.once(route.context, ['response', entry, key, schema.produces], () =>
        this.#response(entry, key, schema.produces, part),
      );
    }
    for (const [status, link] of Object.entries(isObject(links) ? links : {}))
      addLinks(responses, status, link, documented);
    return responses;
  }

  #response(entry: unknown, key: string, produces: unknown, part: Part): ResponseObject {
    const annotations = annotationsOf(entry) ?? {};
    const response: ResponseObject = { description: this.#descriptionOf(entry, annotations, key, part) };
    if (isPlainObject(annotations.headers)) response.headers = this.#headers(annotations.headers, part);
    const content = this.#contentOf(entry, annotations, key, produces, part);
    if (content !== undefined) response.content = content;
    if (isObject(annotations.links)) response.links = copyJson(annotations.links) as object;
    if (contentOf(entry) !== undefined) {
      for (const [name, value] of Object.entries(annotations))
        if (name.startsWith('x-') && !responseFields.includes(name))
          response[name as `x-${string}`] = copyJson(value);
    }
    return response;
  }

  #contentOf(
    entry: unknown,
    annotations: Json,
    key: string,
    produces: unknown,
    part: Part,
  ): ResponseObject['content'] | undefined {
    if (entry === undefined || /^(?:1..|204|304)$/.test(key)) return undefined;
    const byType = contentOf(entry);
    if (byType !== undefined)
      return Object.keys(byType).length === 0 ? undefined : this.#content.byType(byType, part);
    if (annotations.type === 'null') return undefined;
    const schema = entry === annotations ? withoutFields(annotations) : entry;
    // An entry with only a description, and other fields of the response, has no content.
    if (
      entry === annotations &&
      Object.keys(annotations).every((name) => name === 'description' || responseFields.includes(name))
    )
      return undefined;
    return this.#content.forTypes(schema, mediaTypesOf(schema, produces), part);
  }

  #descriptionOf(entry: unknown, annotations: Json, key: string, part: Part): string {
    const { description, 'x-response-description': responseDescription } = annotations;
    if (typeof responseDescription === 'string') return responseDescription;
    if (typeof description === 'string') return description;
    if (annotations.$ref !== undefined) {
      const target = this.#targetOf(entry, annotations.$ref, part);
      if (isObject(target) && typeof target.description === 'string') return target.description;
    }
    return defaultDescription(key);
  }

  #targetOf(entry: unknown, reference: unknown, part: Part): unknown {
    try {
      return this.#parts.schemas.follow(reference, this.#parts.locateSchema(entry, part)).schema;
    } catch (error) {
      throw this.#parts.addLocation(error, part);
    }
  }

  #headers(headers: Json, part: Part): { [name: string]: object } {
    const entries = Object.entries(headers).map(([name, declared]) => {
      const header: Json = {};
      const { schema, ...rest } =
        isPlainObject(declared) && 'schema' in declared ? declared : { schema: declared };
      const described = this.#parts.describeInto(header, 'schema', schema, {
        ...part,
        name: `${part.name}, header ${name}`,
      });
      if (isObject(described) && described.description !== undefined) {
        header.description = described.description;
        delete described.description;
      }
      return [name, Object.assign(header, copyJson(rest))];
    });
    return Object.fromEntries(entries);
  }
}

/** Declared and inherited responses, in the order of the document. */
function entriesOf(
  declared: unknown,
  inherited: readonly (readonly [status: string, entry: unknown])[],
): [key: string, entry: unknown][] {
  const own = isObject(declared) ? Object.keys(declared) : [];
  const entries = own.map((key): [string, unknown] => [key.toLowerCase(), (declared as Json)[key]]);
  const hasOwn = (key: string): boolean => entries.some(([known]) => known === key);
  for (const [key, entry] of inherited) if (!hasOwn(key)) entries.push([key, entry]);
  if (own.length === 0 && !entries.some(([key]) => key.startsWith('2'))) entries.push(['200', undefined]);
  return entries.length > 1 ? entries.sort(([a], [b]) => rankOf(a) - rankOf(b)) : entries;
}

/** Ranges come after exact statuses, and `default` is last. */
function rankOf(key: string): number {
  if (key === 'default') return 1_000;
  return key.endsWith('xx') ? Number(key[0]) * 100 + 99.5 : Number(key);
}

/**
 * V8 keeps keys that are numbers in an array with room for all smaller numbers. A key that is much greater makes it use a
 * hash table instead, which is created much faster (`bench/describe-routes.mjs`).
 */
function emptyByStatus(): { [status: string]: ResponseObject } {
  const responses: { [status: string]: ResponseObject } = {};
  responses[1_000_000] = {};
  delete responses[1_000_000];
  return responses;
}

function addLinks(
  responses: { [status: string]: ResponseObject },
  status: string,
  links: unknown,
  { route }: DocumentedRoute,
): void {
  const key = status === 'default' ? status : status.toUpperCase();
  const response = responses[key];
  if (response === undefined) {
    const message = `${route.where.route}: links for status ${status}, which has no response`;
    throw new OpenAPIError('AMBIT_ERR_OPENAPI_OPTION', message, { where: route.where });
  }
  // Other routes may have the same response without these links.
  responses[key] = { ...response, links: copyJson(links) as object };
}

/** The schema of an entry. A description next to a `$ref` belongs to the response, not to the schema that the `$ref` refers to. */
function withoutFields(entry: Json): Json {
  const fields = entry.$ref === undefined ? responseFields : [...responseFields, 'description'];
  if (!fields.some((name) => name in entry)) return entry;
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !fields.includes(name)));
}

/** Text is not serialized as JSON, so its media type is `text/plain`, unless the route declares another. */
function mediaTypesOf(schema: unknown, produces: unknown): readonly string[] {
  if (Array.isArray(produces) && produces.length > 0) return produces as string[];
  return isFullSchema(schema) && (schema as Json).type === 'string' ? text : json;
}

const text = ['text/plain'];
const json = ['application/json'];

const ranges: Readonly<Record<string, string>> = {
  '1xx': 'Informational',
  '2xx': 'Success',
  '3xx': 'Redirection',
  '4xx': 'Client error',
  '5xx': 'Server error',
};

function defaultDescription(key: string): string {
  return STATUS_CODES[key] ?? ranges[key] ?? 'Any other response';
}
