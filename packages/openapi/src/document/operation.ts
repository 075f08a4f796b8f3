/** Describes one operation: a method of a route at a path. */
import type { OperationObject } from '../document-types.ts';
import { copyJson, isObject, type Json, setMember } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { checkRequirements, checkServers, checkTagNames } from '../part-checks.ts';
import type { ContentDescriber } from './content.ts';
import { DescribedOperation } from './described-operation.ts';
import type { OperationTail } from './described-parts.ts';
import { constraintsText, type DocumentedRoute, type UpgradeOptions } from './documented-route.ts';
import type { ErrorResponses } from './error-responses.ts';
import { toHeading } from './operation-id.ts';
import { describeParameters } from './operation-parameters.ts';
import type { ParameterDescriber } from './parameters.ts';
import type { Part, PartDescriber } from './part-describer.ts';
import { describeRequestBody, type RequestBody } from './request-body.ts';
import type { ResponseDescriber } from './responses.ts';
import type { SecuritySchemes } from './security.ts';

const inheritedFields = ['deprecated', 'externalDocs', 'servers'] as const;

/** The fields of a route's schema from which the tail of an operation is created, in addition to the responses. */
const tailFields: ReadonlySet<string> = new Set([
  'params',
  'querystring',
  'query',
  'headers',
  'cookies',
  'body',
  'consumes',
  'produces',
  'callbacks',
]);

export interface Describers {
  readonly parts: PartDescriber;
  readonly content: ContentDescriber;
  readonly parameters: ParameterDescriber;
  readonly responses: ResponseDescriber;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
}

export class OperationDescriber {
  readonly #describers: Describers;

  constructor(describers: Describers) {
    this.#describers = describers;
  }

  /** @throws {OpenAPIError} */
  describe(documented: DocumentedRoute, operationId: string): DescribedOperation {
    try {
      const { schema } = documented;
      checkFields(documented);
      // The fields in the order in which people read them.
      const head: Json = { operationId, summary: copyJson(schema.summary || null) || toHeading(operationId) };
      this.#addFields(head, documented);
      const security = this.#describers.security.requirementsOf(documented);
      if (security !== undefined) head.security = copyJson(security);
      const tail = this.#tail(documented, operationId, this.#describers.security.apiKeysOf(security));
      return new DescribedOperation(head, tail, extensionsOf(documented));
    } catch (error) {
      throw this.#describers.parts.addLocation(error, { route: documented.route, name: 'the operation' });
    }
  }

  /** The fields that routes often have in common: parameters, body and responses. Equal declarations are described once. */
  #tail(documented: DocumentedRoute, operationId: string, keys: ReadonlySet<string>): OperationTail {
    const { parts, errors } = this.#describers;
    const { schema, route, inherited, parameters, names } = documented;
    const { links } = route.options as { links?: unknown };
    // The counts and names separate the parts of the key, because absent parts are left out.
    const { errorFormat } = route.context;
    const keyParts: unknown[] = [
      errors.statusesOf(documented),
      errorFormat,
      inherited.responses,
      parameters.length,
    ];
    for (const { name, pattern } of parameters) keyParts.push(name, pattern);
    keyParts.push(...names);
    for (const name in schema)
      if (tailFields.has(name) && schema[name] !== undefined) keyParts.push(name, schema[name]);
    if (links !== undefined) keyParts.push('links', links);
    const upgrade = upgradeOf(documented);
    if (upgrade !== undefined) keyParts.push('upgrade', upgrade);
    const version = route.options.constraints?.version;
    if (version !== undefined) keyParts.push('version', version);
    if (keys.size > 0) keyParts.push('keys', [...keys]);
    addEntries(keyParts, schema.response);
    return parts.memosOf(route.context).tail.get(keyParts, () => {
      const hint = hintOf(operationId);
      const tail = {} as OperationTail;
      const described = describeParameters(documented, hint, { ...this.#describers, keys });
      if (described.length > 0) tail.parameters = described;
      if (schema.body !== undefined && schema.body !== null) tail.requestBody = this.#body(documented, hint);
      tail.responses = this.#responses(documented, hint);
      if (schema.callbacks) {
        const part: Part = { route, name: 'callbacks', side: 'output', hint: `${hint}Callback` };
        tail.callbacks = this.#passThrough(schema.callbacks, part);
      }
      return tail;
    });
  }

  #addFields(head: Json, { schema, inherited }: DocumentedRoute): void {
    const { fields, tags: inheritedTags } = inherited;
    const description = schema.description ?? fields.description;
    if (description) head.description = copyJson(description);
    const own = (schema.tags ?? none) as readonly string[];
    const tags = inheritedTags.length === 0 ? own : inheritedTags.concat(own);
    if (tags.length > 0) head.tags = copyJson(tags.length === 1 ? tags : [...new Set(tags)]);
    for (const name of inheritedFields) {
      const value = schema[name] ?? fields[name];
      if (value) head[name] = copyJson(value);
    }
  }

  #body({ schema, route }: DocumentedRoute, hint: string): RequestBody {
    const { parts, content } = this.#describers;
    const { body, consumes } = schema;
    return parts.memosOf(route.context).body.get([body, consumes], () => {
      const part: Part = { route, name: 'body', side: 'input', hint: `${hint}Body` };
      return describeRequestBody(body, consumes, content, part);
    });
  }

  #responses(documented: DocumentedRoute, hint: string): OperationObject['responses'] {
    const { parts, responses, errors } = this.#describers;
    const { schema, route, inherited } = documented;
    const { links } = route.options as { links?: unknown };
    const keyParts: unknown[] = [schema.produces, inherited.responses, links, errors.statusesOf(documented)];
    keyParts.push(route.context.errorFormat, upgradeOf(documented));
    addEntries(keyParts, schema.response);
    return parts.memosOf(route.context).responses.get(keyParts, () => {
      const described = responses.describe(documented, hint);
      errors.addTo(described, documented);
      return described;
    });
  }

  /** Parts that are already written in OpenAPI. Only the schemas in them are described. */
  #passThrough(value: unknown, part: Part): unknown {
    if (Array.isArray(value)) return value.map((item) => this.#passThrough(item, part));
    if (!isObject(value)) return copyJson(value);
    const out: Json = {};
    for (const [name, inner] of Object.entries(value)) {
      if (name === 'schema') this.#describers.parts.describeInto(out, name, inner, part);
      else if (inner !== undefined) setMember(out, name, this.#passThrough(inner, part));
    }
    return out;
  }
}

const none: readonly never[] = [];

const checkedFields = [
  ['tags', checkTagNames],
  ['security', checkRequirements],
  ['servers', checkServers],
] as const;

/** @throws {OpenAPIError} for a field with an invalid member. */
function checkFields({ schema, route }: DocumentedRoute): void {
  for (const [name, check] of checkedFields) {
    const value = schema[name];
    const fault = value === undefined || value === null ? undefined : check(value);
    if (fault === undefined) continue;
    const message = `${route.where.route}: ${name}${fault}`;
    throw new OpenAPIError('AMBIT_ERR_OPENAPI_SCHEMA', message, { where: route.where });
  }
}

/** Adds each response separately, because routes more often share some of their responses than all of them. */
function addEntries(entries: unknown[], response: unknown): void {
  if (isObject(response)) for (const status of Object.keys(response)) entries.push(status, response[status]);
}

/** How a route accepts WebSockets; `undefined` if it does not. */
function upgradeOf({ route }: DocumentedRoute): string | undefined {
  const { websocket, wsHandler } = route.options as UpgradeOptions;
  return websocket === true ? 'only' : wsHandler === undefined ? undefined : 'also';
}

/** The extensions (`x-…`) of an operation; `undefined` if there are none. */
function extensionsOf({ schema, inherited, route }: DocumentedRoute): Json | undefined {
  const names: string[] = [];
  for (const name in inherited.fields) if (name.startsWith('x-')) names.push(name);
  for (const name in schema) if (name.startsWith('x-')) names.push(name);
  const constraints = constraintsText(route.options.constraints);
  if (names.length === 0 && constraints === '') return undefined;
  const extensions: Json = {};
  for (const name of names.sort()) extensions[name] = copyJson(schema[name] ?? inherited.fields[name]);
  if (constraints !== '')
    extensions['x-constraints'] = Object.fromEntries(JSON.parse(constraints) as [string, string][]);
  return extensions;
}

/** The base for the names of schemas that have no name. */
function hintOf(operationId: string): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}
