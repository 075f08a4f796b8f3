/**
 * Searches the schemas of a route for things that are allowed but almost certainly mistakes: files where there can be none, and required
 * properties that are not declared.
 */
import type { AppState } from '../context/app-state.ts';
import { type ContextNode, errorFormatOf } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/add-route.ts';
import { type ContentSchemas, eachSchema, type SuspectSchemas } from '../schemas/content-schemas.ts';
import {
  findMisplacedFile,
  findUndeclared,
  type MisplacedFile,
  type Undeclared,
  type UndeclaredOptions,
} from '../schemas/find-mistakes.ts';
import type { RequestSchemas } from '../schemas/request-schemas.ts';
import { statusText } from '../shared/http-facts.ts';
import { messageOf } from '../shared/thrown-values.ts';
import type { JsonSchema, SerializerFunction } from '../types/compilers.ts';
import type { ResponseSerializers } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import { warnErrorSchema, warnUndeclared } from '../types/warnings.ts';

export interface SearchedSchemas {
  readonly suspects: SuspectSchemas;
  /** Whether a compiler that is not the default one compiles them. */
  readonly hasCustomValidator: boolean;
  readonly hasCustomSerializer: boolean;
  /** Whether the framework reads the forms of the route. */
  readonly readsForms: boolean;
}

/** The mistakes that are reported: the names, by the schema that requires them. Many routes may use one schema. */
const reportedIn = new WeakMap<AppState, WeakMap<JsonSchema, Set<string>>>();

export class SchemaMistakes {
  readonly #route: string;
  readonly #node: ContextNode;
  readonly #searched: SearchedSchemas;

  constructor({ options }: RouteRecord, node: ContextNode, searched: SearchedSchemas) {
    this.#route = `${options.method} ${options.url}`;
    this.#node = node;
    this.#searched = searched;
  }

  /**
   * Finds a file where there can be none. It does not search in Fastify's flavor or for other validators: `binary` may mean anything there.
   */
  findMisplacedFile(
    request: RequestSchemas,
    response: ReadonlyMap<string, ContentSchemas>,
  ): MisplacedFile | undefined {
    const { hasCustomValidator, suspects, readsForms } = this.#searched;
    if (hasCustomValidator || !this.#node.app.compatibility.checksDeclarations) return undefined;
    return findMisplacedFile(request, response, {
      suspects,
      readsForms,
      shared: this.#node.schemas.visible,
    });
  }

  checkRequest(schemas: RequestSchemas): void {
    const { mode, customOptions } = this.#node.app.options.ajv;
    if (this.#searched.hasCustomValidator || mode !== undefined) return;
    const removal = customOptions?.removeAdditional ?? true;
    const others = removal === 'all' ? 'always' : removal ? 'removed' : 'refused';
    const search = (schema: unknown, part: string) =>
      this.#warnUndeclared(schema, part, others, describeRequest);
    search(schemas.params, 'params');
    search(schemas.querystring, 'querystring');
    search(schemas.headers, 'headers');
    if (schemas.body !== undefined) eachSchema(schemas.body, 'body', search);
  }

  checkResponse(response: ReadonlyMap<string, ContentSchemas>): void {
    if (this.#searched.hasCustomSerializer) return;
    const search = (schema: unknown, part: string) =>
      this.#warnUndeclared(schema, part, 'merged', describeResponse);
    for (const [status, entry] of response) eachSchema(entry, `response ${status}`, search);
  }

  #warnUndeclared(
    schema: unknown,
    part: string,
    others: UndeclaredOptions['others'],
    describe: (undeclared: Undeclared) => string | undefined,
  ): void {
    if (!this.#searched.suspects.mayMissNames(schema)) return;
    for (const undeclared of findUndeclared(schema, { shared: this.#node.schemas.visible, others })) {
      const problem = describe(undeclared);
      if (problem === undefined || !this.#isNew(undeclared)) continue;
      const suggestion = undeclared.nearest === undefined ? '' : `. Did you mean '${undeclared.nearest}'?`;
      const location = `the ${part} schema of ${this.#route}, at ${undeclared.pointer},`;
      warnUndeclared(`${location} requires '${undeclared.name}', ${problem}${suggestion}`);
    }
  }

  /** Whether a mistake is found for the first time in this application. */
  #isNew({ schema, name }: Undeclared): boolean {
    const { app } = this.#node;
    const reported = reportedIn.get(app) ?? new WeakMap<JsonSchema, Set<string>>();
    reportedIn.set(app, reported);
    const names = reported.get(schema) ?? new Set();
    reported.set(schema, names);
    return names.size !== names.add(name).size;
  }
}

/** If other properties are allowed, a required property need not be declared. Then it is only reported if a declared name is similar. */
function describeRequest({ effect, nearest }: Undeclared): string | undefined {
  if (effect === 'never') return 'which additionalProperties forbids: every request fails';
  if (effect === 'removed') return 'which it does not declare: it is removed before the handler runs';
  return nearest === undefined ? undefined : 'which it does not declare';
}

function describeResponse(): string {
  return 'which it does not declare: a reply without this property fails, and a reply with it is sent without it';
}

const schemas = {
  json: "{ type: 'object', properties: { statusCode: { type: 'integer' }, code: { type: 'string' }, error: { type: 'string' }, message: { type: 'string' } } }",
  problem:
    "{ type: 'object', properties: { type: { type: 'string' }, title: { type: 'string' }, status: { type: 'integer' }, detail: { type: 'string' }, instance: { type: 'string' }, code: { type: 'string' } } }",
};
const mediaTypes = { json: 'application/json', problem: 'application/problem+json' };

/** What serializers have said about a sample: undefined if they can write it. Many routes share the serializer of an error schema. */
const results = new WeakMap<SerializerFunction, string | null>();

/** Which errors of the framework a route may answer with. */
export interface OwnErrors {
  readonly isValidated: boolean;
  readonly readsBody: boolean;
}

export function checkErrorSchemas(
  serializers: ResponseSerializers,
  route: RegisteredRoute,
  node: ContextNode,
  { isValidated, readsBody }: OwnErrors,
): void {
  if (node.setting('errorHandler') !== undefined || route.errorHandler) return;
  const format = errorFormatOf(node);
  const statuses = readsBody ? [400, 413, 415, 500] : isValidated ? [400, 500] : [500];
  const failed: number[] = [];
  let reason: string | null = null;
  for (const status of statuses) {
    const serialize = serializers.pick(status, mediaTypes[format]);
    const problem = serialize === undefined ? null : problemOf(serialize, status);
    if (problem === null) continue;
    failed.push(status);
    reason = problem;
  }
  if (reason !== null) {
    const name = `${[route.method].flat()} ${route.url}`;
    warnErrorSchema(name, failed.join(', '), reason, schemas[format]);
  }
}

function problemOf(serialize: SerializerFunction, status: number): string | null {
  let problem = results.get(serialize);
  if (problem === undefined) {
    problem = tryToWrite(serialize, status);
    results.set(serialize, problem);
  }
  return problem;
}

/** The members are not enumerable, as those of a real error, so that no tool is told that the schema drops some of them. */
function tryToWrite(serialize: SerializerFunction, status: number): string | null {
  const [title, code, text] = [statusText(status), 'AMBIT_ERR', 'text'];
  const members = {
    ...{ statusCode: status, code, error: title, message: text },
    ...{ type: 'about:blank', title, status, detail: text, instance: '#req-1', validation: [], errors: [] },
  };
  const sample = Object.defineProperties(
    {},
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { value }])),
  );
  try {
    serialize(sample as never);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
