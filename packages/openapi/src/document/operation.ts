/** Describes one operation: a method of a route at a path. */
import type { OperationObject } from '../document-types.ts';
import { copyJson, isObject, type Json, setMember } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { checkRequirements, checkServers, checkTagNames } from '../part-checks.ts';
import { annotationsOf, type ContentDescriber, contentOf } from './content.ts';
import { constraintsText, type DocumentedRoute } from './documented-route.ts';
import type { ErrorResponses } from './error-responses.ts';
import { toHeading } from './operation-id.ts';
import type { ParameterDescriber } from './parameters.ts';
import type { Part, PartDescriber } from './part-describer.ts';
import type { ResponseDescriber } from './responses.ts';
import type { SecuritySchemes } from './security.ts';

interface Describers {
  readonly parts: PartDescriber;
  readonly content: ContentDescriber;
  readonly parameters: ParameterDescriber;
  readonly responses: ResponseDescriber;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
}

type RequestBody = NonNullable<OperationObject['requestBody']>;

export class OperationDescriber {
  readonly #describers: Describers;

  constructor(describers: Describers) {
    this.#describers = describers;
  }

  /** The fields are in the order in which people read them. @throws {OpenAPIError} */
  describe(documented: DocumentedRoute, operationId: string): Json {
    const { parts, security } = this.#describers;
    const { schema, route } = documented;
    try {
      checkFields(documented);
      const summary = copyJson(schema.summary || null) || toHeading(operationId);
      const operation: Json = { operationId, summary };
      addFields(operation, documented);
      const requirements = security.requirementsOf(documented);
      if (requirements !== undefined) operation.security = copyJson(requirements);
      this.#addParts(operation, documented, security.apiKeysOf(requirements));
      addExtensions(operation, documented);
      return operation;
    } catch (error) {
      throw parts.addLocation(error, { route, name: 'the operation' });
    }
  }

  /** @param keys Parameters that a security scheme already declares. */
  #addParts(operation: Json, documented: DocumentedRoute, keys: ReadonlySet<string>): void {
    const { parts, parameters, responses, errors } = this.#describers;
    const { schema, route } = documented;
    const id = operation.operationId as string;
    // The start of names for schemas that have none.
    const hint = id.charAt(0).toUpperCase() + id.slice(1);
    const described = parameters.describe(documented, hint, keys);
    if (described.length > 0) operation.parameters = described;
    const { body, consumes, callbacks } = schema;
    if (body !== undefined && body !== null) {
      const part: Part = { route, name: 'body', side: 'input', hint: `${hint}Body` };
      operation.requestBody = parts.once(route.context, ['body', body, consumes], () =>
        this.#requestBody(body, consumes, part),
      );
    }
    const byStatus = responses.describe(documented, hint);
    errors.addTo(byStatus, documented);
    operation.responses = byStatus;
    if (callbacks) {
      const part: Part = { route, name: 'callbacks', side: 'output', hint: `${hint}Callback` };
      operation.callbacks = this.#passThrough(callbacks, part);
    }
  }

  #requestBody(body: unknown, consumes: unknown, part: Part): RequestBody {
    const { content } = this.#describers;
    const byType = contentOf(body);
    const types = Array.isArray(consumes) && consumes.length > 0 ? (consumes as string[]) : json;
    const described =
      byType === undefined ? content.forTypes(body, types, part) : content.byType(byType, part);
    const { description, required } = annotationsOf(body) ?? {};
    return {
      ...(typeof description === 'string' && { description }),
      required:
        byType !== undefined && typeof required === 'boolean'
          ? required
          : !Object.values(described).some(acceptsNothing),
      content: described,
    };
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

/** The media types to which a body schema without `content` applies. */
const json = ['application/json'];

/** A missing body is validated as null, so the body is optional if the schema accepts null. */
function acceptsNothing({ schema }: { schema?: unknown }): boolean {
  if (!isObject(schema)) return schema === true;
  const { title, description, ...constraints } = schema as Json;
  return Object.keys(constraints).length === 0 || [schema.type].flat().includes('null');
}

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

const inheritedFields = ['deprecated', 'externalDocs', 'servers'] as const;

function addFields(operation: Json, { schema, inherited }: DocumentedRoute): void {
  const { fields, tags: inheritedTags } = inherited;
  const description = schema.description ?? fields.description;
  if (description) operation.description = copyJson(description);
  const own = (schema.tags ?? []) as readonly string[];
  const tags = inheritedTags.length === 0 ? own : inheritedTags.concat(own);
  if (tags.length > 0) operation.tags = copyJson(tags.length === 1 ? tags : [...new Set(tags)]);
  for (const name of inheritedFields) {
    const value = schema[name] ?? fields[name];
    if (value) operation[name] = copyJson(value);
  }
}

/** Adds the extensions (`x-…`). */
function addExtensions(operation: Json, { schema, inherited, route }: DocumentedRoute): void {
  const names: string[] = [];
  for (const name in inherited.fields) if (name.startsWith('x-')) names.push(name);
  for (const name in schema) if (name.startsWith('x-')) names.push(name);
  for (const name of names.sort()) operation[name] = copyJson(schema[name] ?? inherited.fields[name]);
  const constraints = constraintsText(route.options.constraints);
  if (constraints !== '')
    operation['x-constraints'] = Object.fromEntries(JSON.parse(constraints) as [string, string][]);
}
