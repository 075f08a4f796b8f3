/** Describes the framework's own error responses: what a route answers before its handler runs, and when it fails. */
import type { MediaTypeObject, ResponseObject } from '../document-types.ts';
import type { DocumentedRoute } from './documented-route.ts';

/** What the default error handler sends. */
const errorSchema = {
  $id: 'HttpError',
  description: 'The error of a failed request',
  type: 'object',
  required: ['statusCode', 'error', 'message'],
  properties: {
    statusCode: { type: 'integer', description: 'The status of the response' },
    code: { type: 'string', description: 'A permanent code of the error, if it has one' },
    error: { type: 'string', description: 'The text of the status' },
    message: { type: 'string' },
  },
};

const errors: Readonly<Record<string, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The request does not match the schema of the route' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The route does not accept bodies of this media type' },
  500: { name: 'InternalServerError', description: 'An error of the server' },
};

/** Methods whose bodies are always read. Others have one where the route has a schema for it. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY']);

export class ErrorResponses {
  readonly #isWanted: boolean;
  readonly #own: ReadonlySet<string>;
  readonly #used = new Set<string>();

  /** @param own Names of the responses that the application declares by itself: it may have words of its own for them. */
  constructor(isWanted: boolean, own: Iterable<string>) {
    this.#isWanted = isWanted;
    this.#own = new Set(own);
  }

  /** The schema that the responses share, where there are any. */
  get schema(): object | undefined {
    return [...this.#used].some((status) => !this.#own.has(errors[status]!.name)) ? errorSchema : undefined;
  }

  /** Those that a route may answer with. */
  statusesOf(route: DocumentedRoute): readonly string[] {
    return (route.inherited.errors ?? this.#isWanted) ? statusesOf(route) : none;
  }

  /** Adds those that a route may answer with, and does not declare. */
  addTo(responses: { [status: string]: ResponseObject }, route: DocumentedRoute): void {
    for (const status of this.statusesOf(route)) {
      const isDeclared = status in responses || `${status[0]}XX` in responses || 'default' in responses;
      if (isDeclared) continue;
      this.#used.add(status);
      responses[status] = { $ref: `#/components/responses/${errors[status]!.name}` };
    }
  }

  /** The responses that are referred to and not declared by the application. */
  components(media: () => MediaTypeObject): Record<string, ResponseObject> {
    const missing = Object.entries(errors).filter(
      ([status, { name }]) => this.#used.has(status) && !this.#own.has(name),
    );
    return Object.fromEntries(
      missing.map(([, { name, description }]) => [
        name,
        { description, content: { 'application/json': media() } },
      ]),
    );
  }
}

const none: readonly string[] = [];
const always = ['500'];
const withInput = ['400', '500'];
const withBody = ['400', '413', '415', '500'];

function statusesOf({ method, schema, route }: DocumentedRoute): readonly string[] {
  if (methodsWithBody.has(method) || schema.body !== undefined) return withBody;
  const { params, querystring, query, headers } = schema;
  const isValidated = (params ?? querystring ?? query ?? headers) !== undefined;
  return isValidated && route.options.attachValidation !== true ? withInput : always;
}
