/** Builds the document of a context from its routes. The order in the document is the same at each boot. */
import type { Context } from 'ambit';
import type { ComponentsObject, MediaTypeObject, OpenAPIDocument } from '../document-types.ts';
import { copyJson, type Json } from '../json.ts';
import { type OpenAPIVersion, versionOf } from '../openapi-version.ts';
import type { DocumentOptions } from '../options.ts';
import { downgradeSchema, findWider } from '../schema/downgrade-schema.ts';
import { SchemaScope } from '../schema/schema-location.ts';
import { ContentDescriber } from './content.ts';
import {
  DescribedDocument,
  type DocumentFields,
  type PathItem,
  type PathItemField,
} from './described-document.ts';
import type { DescribedOperation } from './described-operation.ts';
import { constraintsText, type DocumentedRoute, documentedRoutes } from './documented-route.ts';
import { ErrorResponses, type ErrorSchema } from './error-responses.ts';
import { inOrder } from './field-order.ts';
import { OperationDescriber } from './operation.ts';
import { OperationIds } from './operation-id.ts';
import { ParameterDescriber } from './parameters.ts';
import { PartDescriber } from './part-describer.ts';
import { ResponseDescriber } from './responses.ts';
import { SecuritySchemes } from './security.ts';
import { describeTags } from './tags.ts';

const fieldMethods: ReadonlySet<string> = new Set([
  'GET',
  'PUT',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PATCH',
  'TRACE',
]);

/**
 * Describes the routes of a context.
 *
 * @throws {OpenAPIError} for a schema that cannot be described, and for security requirements without a declared
 *   scheme.
 */
export function describeDocument(context: Context, options: DocumentOptions): DescribedDocument {
  const fields = new DocumentBuilder(context, options).build();
  return new DescribedDocument(fields, options.transform);
}

class DocumentBuilder {
  readonly #options: DocumentOptions;
  readonly #version: OpenAPIVersion;
  readonly #routes: readonly DocumentedRoute[];
  readonly #parts: PartDescriber;
  readonly #errors: ErrorResponses;
  readonly #security: SecuritySchemes;
  readonly #operations: OperationDescriber;
  readonly #ids: OperationIds;

  constructor(context: Context, options: DocumentOptions) {
    const { components = {}, security, errors } = options;
    this.#options = options;
    this.#version = versionOf(options).version;
    this.#routes = documentedRoutes(context);
    // All routes of an application have the same dialect.
    const dialect = options.dialect ?? this.#routes[0]?.route.dialect;
    this.#parts = new PartDescriber(components.schemas ?? {}, {
      describe: options.describe,
      dialect,
      recordsFields: this.#version === '3.0',
    });
    this.#errors = new ErrorResponses(errors, Object.keys(components.responses ?? {}));
    this.#security = new SecuritySchemes(components.securitySchemes ?? {}, security, this.#routes);
    const content = new ContentDescriber(this.#parts, this.#version);
    this.#operations = new OperationDescriber({
      parts: this.#parts,
      content,
      parameters: new ParameterDescriber(this.#parts),
      responses: new ResponseDescriber(this.#parts, content),
      errors: this.#errors,
      security: this.#security,
    });
    const declaredIds = this.#routes
      .map(({ schema }) => schema.operationId)
      .filter((id) => typeof id === 'string');
    this.#ids = new OperationIds(declaredIds);
  }

  build(): DocumentFields {
    const { info = { title: 'API', version: '0.0.0' }, externalDocs, webhooks } = this.#options;
    // If these fields are missing, OpenAPI assumes the same values. They are written so that readers see them.
    const { servers = [{ url: '/' }], security = [] } = this.#options;
    const paths = this.#paths();
    const components = this.#components();
    const tags = describeTags(this.#options.tags ?? [], this.#routes);
    const optionFields = copyJson({ info, servers, security, externalDocs, webhooks }) as Omit<
      OpenAPIDocument,
      'openapi' | 'paths'
    >;
    const document: Json = { openapi: versionOf(this.#options).text, info: optionFields.info, paths };
    Object.assign(document, {
      servers: optionFields.servers,
      security: optionFields.security,
      webhooks: optionFields.webhooks,
    });
    if (tags.length > 0) document.tags = tags;
    document.externalDocs = optionFields.externalDocs;
    if (Object.keys(components).length > 0) document.components = components;
    for (const [name, value] of Object.entries(this.#options))
      if (name.startsWith('x-')) document[name] = copyJson(value);
    return inOrder(document);
  }

  #paths(): Map<string, PathItem> {
    const paths = new Map<string, PathItem>();
    for (const route of this.#routes) {
      const item = paths.get(route.path) ?? new Map<string, PathItemField>();
      paths.set(route.path, item);
      const { operationId } = route.schema;
      const id =
        typeof operationId === 'string' && operationId !== ''
          ? this.#ids.use(operationId)
          : this.#ids.create(route.method, route.path);
      this.#addOperation(item, route.method, this.#operations.describe(route, id), route);
    }
    return paths;
  }

  /**
   * Puts an operation into the field that its version of OpenAPI has for the method. If there is no such field, it
   * becomes an extension.
   */
  #addOperation(item: PathItem, method: string, operation: DescribedOperation, route: DocumentedRoute): void {
    const isField = fieldMethods.has(method) || (method === 'QUERY' && this.#version === '3.2');
    const others = this.#version === '3.2' ? 'additionalOperations' : 'x-additionalOperations';
    const holder = isField ? item : fieldOf(item, others);
    const field = isField ? method.toLowerCase() : method;
    if (!holder.has(field)) {
      holder.set(field, operation);
      return;
    }
    // The item already has a route with this method and URL, for other hosts or versions.
    const constrained = fieldOf(item, 'x-constrainedOperations');
    constrained.set(`${method} ${constraintsText(route.route.options.constraints)}`, operation);
  }

  #components(): ComponentsObject {
    const own = copyJson(this.#options.components ?? {}) as ComponentsObject;
    const errorResponses = this.#errorResponses();
    const named = this.#parts.schemas.components.name();
    if (this.#version === '3.0') this.#downgrade(named);
    const all: ComponentsObject = {
      ...own,
      schemas: sorted({ ...own.schemas, ...named }),
      responses: sorted<object>({ ...own.responses, ...errorResponses }),
      securitySchemes: copyJson(this.#security.all) as NonNullable<ComponentsObject['securitySchemes']>,
    };
    return Object.fromEntries(Object.entries(all).filter(([, kind]) => Object.keys(kind ?? {}).length > 0));
  }

  #errorResponses(): Record<string, object> {
    const scope = new SchemaScope({}, 'draft-07');
    const roots = new Map<ErrorSchema, ReturnType<SchemaScope['root']>>();
    return this.#errors.components((schema) => {
      const root = roots.get(schema) ?? scope.root(schema);
      roots.set(schema, root);
      const media: MediaTypeObject = {};
      this.#parts.setSchema(media, 'schema', this.#parts.schemas.describeRoot(root, schema.$id));
      return media;
    });
  }

  #downgrade(components: Record<string, Json | boolean>): void {
    const wider = findWider(components);
    for (const [name, schema] of Object.entries(components))
      components[name] = downgradeSchema(schema, wider);
    for (const { holder, field } of this.#parts.schemaFields)
      holder[field] = downgradeSchema(holder[field] as Json, wider);
  }
}

function fieldOf(item: PathItem, name: string): PathItem {
  const field = (item.get(name) as PathItem | undefined) ?? new Map<string, PathItemField>();
  item.set(name, field);
  return field;
}

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)));
}
