/** Describes the framework's own error responses: those before the handler runs, and those of failures. */
import type { MediaTypeObject, ResponseObject } from '../document-types.ts';
import type { DocumentedRoute } from './documented-route.ts';

/** The payload of the default error handler. */
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

/** The body is always read for these methods. Routes of other methods have a body only if they have a schema for it. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY']);

export class ErrorResponses {
  readonly #isWanted: boolean | undefined;
  readonly #own: ReadonlySet<string>;
  readonly #used = new Set<string>();

  /**
   * @param isWanted Whether the errors are described. By default, they are if the default error handler sends them.
   * @param own Names of the responses that the application declares itself. These are not described again.
   */
  constructor(isWanted: boolean | undefined, own: Iterable<string>) {
    this.#isWanted = isWanted;
    this.#own = new Set(own);
  }

  /** The schema that the error responses share; `undefined` if none of them is used. */
  get schema(): object | undefined {
    return [...this.#used].some((status) => !this.#own.has(errors[status]!.name)) ? errorSchema : undefined;
  }

  /** The statuses of the framework's errors that a route may have. */
  statusesOf(route: DocumentedRoute): readonly string[] {
    const isWanted = route.inherited.errors ?? this.#isWanted ?? !route.route.hasErrorHandler;
    return isWanted ? statusesOf(route) : none;
  }

  /** Adds the framework's errors that a route may have and does not declare. */
  addTo(responses: { [status: string]: ResponseObject }, route: DocumentedRoute): void {
    for (const status of this.statusesOf(route)) {
      const isDeclared = status in responses || `${status[0]}XX` in responses || 'default' in responses;
      if (isDeclared) continue;
      this.#used.add(status);
      responses[status] = { $ref: `#/components/responses/${errors[status]!.name}` };
    }
  }

  /** The responses that routes refer to and that the application does not declare. */
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
