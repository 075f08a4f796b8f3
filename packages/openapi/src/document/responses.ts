/** Describes the responses of a route: those it declares, those of its context's hooks, and the framework's own errors. */
import { STATUS_CODES } from 'node:http';
import { expandSchema } from 'ambit';
import type { ResponseObject } from '../document-types.ts';
import { copyJson, isObject, isPlainObject, type Json } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { annotationsOf, type ContentDescriber, contentOf } from './content.ts';
import type { DocumentedRoute } from './documented-route.ts';
import type { Part, PartDescriber } from './part-describer.ts';

/** What of an entry is about the response, and not its schema. */
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
    const declared = isObject(schema.response) ? schema.response : {};
    const given = { ...lowerKeys(inherited.responses), ...lowerKeys(declared) };
    if (Object.keys(declared).length === 0 && !Object.keys(given).some((key) => key.startsWith('2')))
      given['200'] ??= undefined;
    const { links } = route.options as { links?: unknown };
    const responses: { [status: string]: ResponseObject } = {};
    for (const key of Object.keys(given).sort(byStatus)) {
      const status = key === 'default' ? key : key.toUpperCase();
      const part: Part = {
        route,
        name: `response ${key}`,
        side: 'output',
        hint: `${hint}Response${status === '200' ? '' : status}`,
      };
      responses[status] = this.#response(given[key], key, schema.produces, part);
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
    const schema =
      entry === annotations && responseFields.some((name) => name in annotations)
        ? withoutFields(annotations)
        : entry;
    // Nothing is left of an entry that says nothing about what is sent.
    if (
      entry === annotations &&
      Object.keys(annotations).every((name) => name === 'description' || responseFields.includes(name))
    )
      return undefined;
    return this.#content.whole(schema, mediaTypesOf(schema, produces), part);
  }

  #descriptionOf(entry: unknown, annotations: Json, key: string, part: Part): string {
    const { description, 'x-response-description': told } = annotations;
    if (typeof told === 'string') return told;
    if (typeof description === 'string') return description;
    if (annotations.$ref !== undefined) {
      const target = this.#parts.locating(part, () => {
        const place = this.#parts.place(entry, part);
        return this.#parts.schemas.follow(annotations.$ref, place).schema;
      });
      if (isObject(target) && typeof target.description === 'string') return target.description;
    }
    return defaultDescription(key);
  }

  #headers(headers: Json, part: Part): { [name: string]: object } {
    const entries = Object.entries(headers).map(([name, given]) => {
      const header: Json = {};
      const whole = isPlainObject(given) && 'schema' in given ? given : { schema: given };
      const { schema, ...rest } = whole;
      const described = this.#parts.put(header, 'schema', schema, {
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

function addLinks(
  responses: { [status: string]: ResponseObject },
  status: string,
  links: unknown,
  { route }: DocumentedRoute,
): void {
  const response = responses[status === 'default' ? status : status.toUpperCase()];
  if (response === undefined) {
    throw new OpenAPIError(
      'AMBIT_ERR_OPENAPI_OPTION',
      `${route.where.route}: links for status ${status}, which has no response`,
      {
        where: route.where,
      },
    );
  }
  response.links = copyJson(links) as object;
}

function withoutFields(entry: Json): Json {
  return Object.fromEntries(Object.entries(entry).filter(([name]) => !responseFields.includes(name)));
}

/** Text is sent as it is, unless the route says otherwise. */
function mediaTypesOf(schema: unknown, produces: unknown): readonly string[] {
  if (Array.isArray(produces) && produces.length > 0) return produces as string[];
  const { type, '~standard': standard } = Object(expandSchema(schema)) as Json;
  return type === 'string' && standard === undefined ? ['text/plain'] : ['application/json'];
}

function lowerKeys(responses: Json): Json {
  return Object.fromEntries(
    Object.entries(responses).map(([status, entry]) => [status.toLowerCase(), entry]),
  );
}

/** By number, a range behind its numbers, `default` last. */
function byStatus(a: string, b: string): number {
  const [x, y] = [a, b].map((key) => (key === 'default' ? '999' : key.replaceAll('x', '~')));
  return x! < y! ? -1 : 1;
}

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
