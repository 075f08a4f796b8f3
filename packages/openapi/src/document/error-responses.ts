/** Describes the framework's own error responses: those before the handler runs, and those of failures. */
import type { ErrorFormat } from 'ambit';
import type { MediaTypeObject, ResponseObject } from '../document-types.ts';
import type { DocumentedRoute } from './documented-route.ts';

/** The schema of an error response. */
export interface ErrorSchema {
  /** Its name in the document. */
  readonly $id: string;
}

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
    requestId: {
      type: 'string',
      description: 'The id by which the log has an error whose message is not sent',
    },
  },
};

/** Problem details (RFC 9457), as the framework sends them. */
const problemSchema = {
  $id: 'ProblemDetails',
  description: 'The error of a failed request (RFC 9457)',
  type: 'object',
  required: ['type', 'status'],
  properties: {
    type: { type: 'string', format: 'uri-reference', description: 'Identifies the type of the problem' },
    title: { type: 'string', description: 'What this type of problem is' },
    status: { type: 'integer', description: 'The status of the response' },
    detail: { type: 'string', description: 'What happened this time' },
    instance: { type: 'string', format: 'uri-reference', description: 'Identifies this occurrence' },
    code: { type: 'string', description: 'A permanent code of the error, if it has one' },
    errors: {
      type: 'array',
      description: 'What is wrong with the request, one by one',
      items: {
        type: 'object',
        required: ['detail'],
        properties: {
          detail: { type: 'string' },
          pointer: { type: 'string', description: 'Where, as a JSON Pointer in the form of a URI fragment' },
          part: { type: 'string', enum: ['body', 'query', 'params', 'headers'] },
        },
      },
    },
  },
  additionalProperties: true,
};

/** The parts of an error response that depend on the format in which a context writes its errors. */
const formats: Readonly<Record<ErrorFormat, { suffix: string; mediaType: string; schema: ErrorSchema }>> = {
  json: { suffix: '', mediaType: 'application/json', schema: errorSchema },
  problem: { suffix: 'Problem', mediaType: 'application/problem+json', schema: problemSchema },
};

const errors: Readonly<Record<string, { name: string; description: string }>> = {
  400: { name: 'BadRequest', description: 'The request does not match the schema of the route' },
  413: { name: 'PayloadTooLarge', description: 'The body is too large' },
  415: { name: 'UnsupportedMediaType', description: 'The route does not accept bodies of this media type' },
  500: { name: 'InternalServerError', description: 'An error of the server' },
};

/** The body is always read for these methods. Routes of other methods have a body only if they have a schema for it. */
const methodsWithBody: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'QUERY']);

/** A response that routes refer to. */
interface ErrorResponse {
  readonly name: string;
  readonly description: string;
  readonly format: ErrorFormat;
}

export class ErrorResponses {
  readonly #isEnabled: boolean | undefined;
  readonly #declaredNames: ReadonlySet<string>;
  readonly #used = new Map<string, ErrorResponse>();

  /**
   * @param isEnabled Whether the errors are described. By default, they are if the default error handler sends them.
   * @param declaredNames Names of the responses that the application declares itself. These are not described again.
   */
  constructor(isEnabled: boolean | undefined, declaredNames: Iterable<string>) {
    this.#isEnabled = isEnabled;
    this.#declaredNames = new Set(declaredNames);
  }

  /** Adds the framework's errors that a route may have and does not declare. */
  addTo(responses: { [status: string]: ResponseObject }, documented: DocumentedRoute): void {
    const { route, inherited } = documented;
    if (!(inherited.errors ?? this.#isEnabled ?? !route.hasErrorHandler)) return;
    const format = route.context.errorFormat;
    for (const status of statusesOf(documented)) {
      const isDeclared = status in responses || `${status[0]}XX` in responses || 'default' in responses;
      if (isDeclared) continue;
      const { name: base, description } = errors[status]!;
      const name = base + formats[format].suffix;
      this.#used.set(name, { name, description, format });
      responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }

  /**
   * The responses that routes refer to and that the application does not declare.
   *
   * @param describe Describes the schema that all responses of a format share. Called once for each response.
   */
  components(describe: (schema: ErrorSchema) => MediaTypeObject): Record<string, ResponseObject> {
    // Sorted by status, not by the order of the routes.
    const names = Object.values(formats).flatMap(({ suffix }) =>
      Object.values(errors).map(({ name }) => name + suffix),
    );
    const missing = names.filter((name) => this.#used.has(name) && !this.#declaredNames.has(name));
    return Object.fromEntries(
      missing.map((name) => {
        const { description, format } = this.#used.get(name)!;
        const { mediaType, schema } = formats[format];
        return [name, { description, content: { [mediaType]: describe(schema) } }];
      }),
    );
  }
}

const always = ['500'];
const withInput = ['400', '500'];
const withBody = ['400', '413', '415', '500'];

/** The statuses of the framework's errors that a route may have. */
function statusesOf({ method, schema, route }: DocumentedRoute): readonly string[] {
  if (methodsWithBody.has(method) || schema.body !== undefined) return withBody;
  const { params, querystring, query, headers } = schema;
  const isValidated = (params ?? querystring ?? query ?? headers) !== undefined;
  return isValidated && route.options.attachValidation !== true ? withInput : always;
}
