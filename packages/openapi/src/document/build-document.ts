/** Builds the document of a context from its routes. The order in the document is the same at each boot. */
import type { Context } from 'ambit';
import type {
  ComponentsObject,
  MediaTypeObject,
  OpenAPIDocument,
  SecurityScheme,
  TagObject,
} from '../document-types.ts';
import { copyJson, isObject, type Json } from '../json.ts';
import { OpenAPIError } from '../openapi-error.ts';
import { type DocumentOptions, type OpenAPIVersion, versionOf } from '../options.ts';
import { typeOf } from '../part-checks.ts';
import { downgradeSchema, findWider } from '../schema/downgrade-schema.ts';
import { SchemaScope } from '../schema/schema-location.ts';
import { ContentDescriber } from './content.ts';
import { constraintsText, type DocumentedRoute, documentedRoutes, methodOrder } from './documented-route.ts';
import { ErrorResponses, type ErrorSchema } from './error-responses.ts';
import { OperationDescriber } from './operation.ts';
import { OperationIds } from './operation-id.ts';
import { ParameterDescriber } from './parameters.ts';
import { PartDescriber } from './part-describer.ts';
import { ResponseDescriber } from './responses.ts';
import { SecuritySchemes } from './security.ts';

/**
 * Describes the routes of a context. Operations have equal parts in common, so the document is only for reading.
 *
 * @throws {OpenAPIError} for a schema that cannot be described, and for security requirements without a declared
 *   scheme.
 */
export function describeDocument(context: Context, options: DocumentOptions): OpenAPIDocument {
  if (options.transform !== undefined) return describeForCaller(context, options);
  return new DocumentBuilder(context, options).build();
}

/** Describes the routes of a context as an object that the caller may change. @throws {OpenAPIError} */
export function describeForCaller(context: Context, options: DocumentOptions): OpenAPIDocument {
  // A copy, because operations have parts in common, and whoever changes one must not change the others.
  const document = JSON.parse(
    JSON.stringify(new DocumentBuilder(context, options).build()),
  ) as OpenAPIDocument;
  if (options.transform === undefined) return document;
  const transformed: unknown = options.transform(document);
  if (isObject(transformed)) return transformed as unknown as OpenAPIDocument;
  throw new OpenAPIError(
    'AMBIT_ERR_OPENAPI_OPTION',
    `transform must return the document, instead got ${typeOf(transformed)}`,
  );
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

  build(): OpenAPIDocument {
    // If `servers` and `security` are missing, OpenAPI assumes the same values. They are written so that readers see them.
    const { info = { title: 'API', version: '0.0.0' }, servers = [{ url: '/' }] } = this.#options;
    const { security = [], externalDocs, webhooks, tags: declaredTags = [] } = this.#options;
    const paths = this.#paths();
    const components = this.#components();
    const tags = describeTags(declaredTags, this.#routes);
    const own = copyJson({ info, servers, security, externalDocs, webhooks }) as Json;
    const extensions = Object.entries(this.#options).filter(([name]) => name.startsWith('x-'));
    // In the order in which people read the fields: short fields first, then the long lists.
    const fields: [name: string, value: unknown][] = [
      ['openapi', versionOf(this.#options).text],
      ['info', own.info],
      ['servers', own.servers],
      ['security', own.security],
      ['tags', tags.length > 0 ? tags : undefined],
      ['externalDocs', own.externalDocs],
      ['paths', paths],
      ['webhooks', own.webhooks],
      ['components', Object.keys(components).length > 0 ? components : undefined],
      ...extensions.sort(byName).map(([name, value]): [string, unknown] => [name, copyJson(value)]),
    ];
    return Object.fromEntries(
      fields.filter(([, value]) => value !== undefined),
    ) as unknown as OpenAPIDocument;
  }

  #paths(): Json {
    const paths: Json = {};
    for (const route of this.#routes) {
      const item = fieldOf(paths, route.path);
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
  #addOperation(item: Json, method: string, operation: Json, route: DocumentedRoute): void {
    const isField = methodOrder.includes(method) && (method !== 'QUERY' || this.#version === '3.2');
    const others = this.#version === '3.2' ? 'additionalOperations' : 'x-additionalOperations';
    const holder = isField ? item : fieldOf(item, others);
    const field = isField ? method.toLowerCase() : method;
    if (holder[field] === undefined) {
      holder[field] = operation;
      return;
    }
    // The item already has a route with this method and URL, for other hosts or versions.
    const constrained = fieldOf(item, 'x-constrainedOperations');
    constrained[`${method} ${constraintsText(route.route.options.constraints)}`] = operation;
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
      securitySchemes: sorted(copyJson(this.#security.all) as Record<string, SecurityScheme>),
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

function fieldOf(holder: Json, name: string): Json {
  holder[name] ??= {};
  return holder[name] as Json;
}

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(byName));
}

type Named = readonly [name: string, value: unknown];

function byName([a]: Named, [b]: Named): number {
  return a < b ? -1 : 1;
}

/** The tags of a document: those of its options in their order, then those that its routes use, sorted by name. */
function describeTags(declared: readonly TagObject[], routes: readonly DocumentedRoute[]): TagObject[] {
  const tags = new Map(declared.map((tag) => [tag.name, tag]));
  const used = new Set<string>();
  const described = new Set<TagObject>();
  for (const { schema, inherited } of routes) {
    for (const name of inherited.tags) used.add(name);
    for (const name of (schema.tags ?? []) as string[]) used.add(name);
    for (const tag of inherited.describedTags) described.add(tag);
  }
  const others = new Map([...used].sort().map((name) => [name, { name } as TagObject]));
  for (const tag of described) if (others.get(tag.name)?.description === undefined) others.set(tag.name, tag);
  for (const [name, tag] of others) if (!tags.has(name)) tags.set(name, tag);
  return copyJson([...tags.values()]) as TagObject[];
}
