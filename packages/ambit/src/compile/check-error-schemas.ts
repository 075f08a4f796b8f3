/** Warns of response schemas that cannot take the framework's own errors. Such an error is answered in the format of errors instead. */
import { type ContextNode, errorFormatOf } from '../context/context-node.ts';
import { statusText } from '../shared/http-facts.ts';
import { messageOf } from '../shared/thrown-values.ts';
import type { SerializerFunction } from '../types/compilers.ts';
import type { ResponseSerializers } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import { warnErrorSchema } from '../types/warnings.ts';

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
