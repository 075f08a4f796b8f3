/** Describes one operation: a method of a route at a path. */
import type { OperationObject, ParameterObject } from '../document-types.ts';
import { copyJson, isObject, type Json } from '../json.ts';
import type { ContentDescriber } from './content.ts';
import { constraintsText, type DocumentedRoute, namesIn } from './documented-route.ts';
import type { ErrorResponses } from './error-responses.ts';
import { inWords } from './operation-id.ts';
import type { ParameterDescriber, ParameterPlace } from './parameters.ts';
import type { Part, PartDescriber } from './part-describer.ts';
import { describeRequestBody } from './request-body.ts';
import type { ResponseDescriber } from './responses.ts';
import type { SecuritySchemes } from './security.ts';

/** Parameters of these names are ignored by OpenAPI: media types and security have places of their own. */
const ignoredHeaders: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

export interface Describers {
  readonly parts: PartDescriber;
  readonly content: ContentDescriber;
  readonly parameters: ParameterDescriber;
  readonly responses: ResponseDescriber;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
}

export class OperationDescriber {
  readonly #with: Describers;

  constructor(describers: Describers) {
    this.#with = describers;
  }

  /** @throws {OpenAPIError} */
  describe(documented: DocumentedRoute, operationId: string): OperationObject {
    const { schema, route } = documented;
    const hint = hintOf(operationId);
    // The fields in the order in which a reader wants them.
    const operation: OperationObject = {
      operationId,
      summary: (schema.summary as string | undefined) || inWords(operationId),
    } as OperationObject;
    this.#addFields(operation, documented);
    const security = this.#with.security.requirementsOf(documented);
    if (security !== undefined)
      operation.security = copyJson(security) as NonNullable<OperationObject['security']>;
    const parameters = this.#parameters(documented, hint, this.#with.security.keysOf(security));
    if (parameters.length > 0) operation.parameters = parameters;
    if (schema.body !== undefined && schema.body !== null)
      operation.requestBody = this.#body(documented, hint);
    operation.responses = this.#with.responses.describe(documented, hint);
    this.#with.errors.addTo(operation.responses, documented);
    if (schema.callbacks) {
      const part: Part = { route, name: 'callbacks', side: 'output', hint: `${hint}Callback` };
      operation.callbacks = this.#passThrough(schema.callbacks, part);
    }
    this.#addExtensions(operation, documented);
    return operation;
  }

  #addFields(operation: OperationObject, { schema, inherited }: DocumentedRoute): void {
    const { fields, tags: inheritedTags } = inherited;
    const description = schema.description ?? fields.description;
    if (description) operation.description = description as string;
    const own = (schema.tags ?? []) as string[];
    if (inheritedTags.length + own.length > 0) operation.tags = [...new Set([...inheritedTags, ...own])];
    for (const name of ['deprecated', 'externalDocs', 'servers'] as const) {
      const value = schema[name] ?? fields[name];
      if (value) operation[name] = copyJson(value) as never;
    }
  }

  #addExtensions(operation: OperationObject, { schema, inherited, route }: DocumentedRoute): void {
    const names: string[] = [];
    for (const name of Object.keys(inherited.fields)) if (name.startsWith('x-')) names.push(name);
    for (const name of Object.keys(schema)) if (name.startsWith('x-')) names.push(name);
    for (const name of names.sort()) operation[name] = copyJson(schema[name] ?? inherited.fields[name]);
    const constraints = constraintsText(route.options.constraints);
    if (constraints !== '')
      operation['x-constraints'] = Object.fromEntries(JSON.parse(constraints) as [string, string][]);
  }

  #parameters(documented: DocumentedRoute, hint: string, keys: ReadonlySet<string>): ParameterObject[] {
    const { schema, route } = documented;
    const of = (name: string, place: ParameterPlace, part: unknown): ParameterObject[] => {
      if (part === undefined || part === null) return [];
      const from: Part = {
        route,
        name,
        side: 'input',
        hint: `${hint}${name.charAt(0).toUpperCase()}${name.slice(1)}`,
      };
      return this.#with.parameters
        .describe(part, place, from)
        .filter((parameter) => !keys.has(`${place} ${parameter.name.toLowerCase()}`));
    };
    const headers = of('headers', 'header', schema.headers).filter(
      ({ name }) => !ignoredHeaders.has(name.toLowerCase()),
    );
    return [
      ...this.#pathParameters(documented, of('params', 'path', schema.params)),
      ...of('querystring', 'query', schema.querystring ?? schema.query),
      ...headers,
      ...this.#constraintHeaders(documented, headers),
      ...of('cookies', 'cookie', schema.cookies),
    ];
  }

  /** One parameter for each name in the path, in order; a schema may speak of some of them, or of none. */
  #pathParameters(
    { path, parameters }: DocumentedRoute,
    described: readonly ParameterObject[],
  ): ParameterObject[] {
    if (parameters.length === 0) return [];
    const names = namesIn(path);
    return parameters.map(({ name, pattern }, i) => {
      const known = described.find((parameter) => parameter.name === name);
      if (known !== undefined) {
        known.name = names[i]!;
        return known;
      }
      const parameter: ParameterObject = { name: names[i]!, in: 'path', required: true };
      this.#with.parts.keep(
        parameter,
        'schema',
        pattern === undefined ? { type: 'string' } : { type: 'string', pattern },
      );
      return parameter;
    });
  }

  /** A route for one version answers only requests that ask for it. */
  #constraintHeaders({ route }: DocumentedRoute, headers: readonly ParameterObject[]): ParameterObject[] {
    const version = route.options.constraints?.version;
    if (version === undefined || headers.some(({ name }) => name.toLowerCase() === 'accept-version'))
      return [];
    const parameter: ParameterObject = { name: 'accept-version', in: 'header', required: true };
    this.#with.parts.keep(parameter, 'schema', { type: 'string', examples: [version] });
    return [parameter];
  }

  #body({ schema, route }: DocumentedRoute, hint: string): NonNullable<OperationObject['requestBody']> {
    const part: Part = { route, name: 'body', side: 'input', hint: `${hint}Body` };
    return describeRequestBody(schema.body, schema.consumes, this.#with.content, part);
  }

  /** Parts in the words of OpenAPI, in which only schemas are ours to describe. */
  #passThrough(value: unknown, part: Part): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#passThrough(item, part));
    if (!isObject(value)) return copyJson(value);
    const out: Json = {};
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'schema') this.#with.parts.put(out, name, inner, part);
      else if (inner !== undefined) out[name] = this.#passThrough(inner, part);
    }
    return out;
  }
}

/** What names are made of that nobody gave. */
function hintOf(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}
