/** The errors of a route's schemas: adds plugin, file, and route or shared schema to the error of a schema that does not compile. */
import { createRequire } from 'node:module';
import type { ContextNode } from '../context/context-node.ts';
import { findDeclaration } from '../context/definitions.ts';
import type { RouteRecord } from '../context/routes/add-route.ts';
import type { MisplacedFile } from '../schemas/find-mistakes.ts';
import { PartFailure } from '../schemas/schema-engines.ts';
import { loadJsonSchema } from '../schemas/schema-registry.ts';
import { type DeclarationPlace, type ErrorPlace, locateError } from '../shared/call-site.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  FileMisplaced,
  MediaRangeInvalid,
  SchemaContentMissing,
  type ValidationBuildFailed,
} from '../types/errors.ts';

const require = createRequire(import.meta.url);

const loadExplanations = lazyModule<typeof import('../schemas/explain-failure.ts')>(() =>
  require('../schemas/explain-failure.ts'),
);

/** Errors of the framework itself, which are not wrapped, because no engine failed. */
const ownErrors = [CodeGenerationForbidden, CompiledStale, MediaRangeInvalid, SchemaContentMissing];

/** Runs a step of the route's compilation, and adds the location to its errors. */
export function withRouteErrorPlace<T>(record: RouteRecord, node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw locateError(error, () => placeOf(record, node));
  }
}

/** Runs an engine. An error that it throws becomes the `cause` of a catalogue error that names the part and the path in its schema. */
export function wrapBuildError<T>(
  record: RouteRecord,
  node: ContextNode,
  Failed: typeof ValidationBuildFailed,
  build: () => T,
): T {
  try {
    return build();
  } catch (thrown) {
    const failure = thrown instanceof PartFailure ? thrown : undefined;
    const cause = failure === undefined ? thrown : failure.cause;
    const place = placeOf(record, node);
    if (ownErrors.some((OwnError) => cause instanceof OwnError)) throw locateError(cause, () => place);
    const { method, url } = record.options;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { part } = failure ?? {};
    const explanation = failure && loadExplanations().explainFailure(failure, node.schemas.visible);
    const { schemaPath, advice, sharedId } = explanation ?? {};
    const shared = sharedId === undefined ? undefined : placeOfShared(sharedId, node);
    // Routes that use a shared schema are not to blame for it, and neither are those that only see it.
    const path = schemaPath && !reason.includes(`at ${schemaPath})`) && `at ${schemaPath}`;
    const location = [!shared && part && `in ${part}`, path].filter(Boolean).join(', ');
    const details = [location, advice].filter(Boolean).join('; ');
    const where = { ...(shared ?? { ...place, ...(part && { part }) }), ...(schemaPath && { schemaPath }) };
    const said = details && ` (${details})`;
    const error = Failed.at({ cause, where }, String(method), url, reason, said, shared && sharedId);
    throw advice === undefined ? error : Object.assign(error, { hint: advice });
  }
}

/** Where a shared schema was added; `undefined` if the application keeps its schemas itself. */
function placeOfShared(id: string, node: ContextNode): DeclarationPlace | undefined {
  return findDeclaration(
    node,
    ({ kind, value }) => kind === 'schema' && Object(loadJsonSchema().plainSchema(value)).$id === id,
  );
}

export function rejectFile(
  record: RouteRecord,
  node: ContextNode,
  { part, schemaPath }: MisplacedFile,
): never {
  throw FileMisplaced.at({ where: { ...placeOf(record, node), part, schemaPath } }, part, schemaPath);
}

/** The location of an error in a route: its plugin, the route, and the line that declared it. */
function placeOf({ options, site }: RouteRecord, node: ContextNode): ErrorPlace {
  return { plugin: node.path, route: `${options.method} ${options.url}`, file: site.location };
}
