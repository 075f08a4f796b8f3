/** The errors of a route's schemas: adds plugin, file, and route or shared schema to the error of a schema that does not compile. */

import type { ContextNode } from '../context/context-node.ts';
import { findDeclaration } from '../context/definitions.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { MisplacedFile } from '../schemas/misplaced-files.ts';
import { PartFailure } from '../schemas/schema-build-error.ts';
import { loadJsonSchema } from '../schemas/schema-registry.ts';
import { type DeclarationPlace, type ErrorPlace, locateError } from '../shared/call-site.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  FileMisplaced,
  MediaRangeInvalid,
  SchemaContentMissing,
  type ValidationBuildFailed,
} from '../types/errors.ts';

const loadExplanations = lazyModule<typeof import('../schemas/explain-failure.ts')>(() =>
  require('../schemas/explain-failure.ts'),
);

/** Errors of the framework itself, which are not wrapped, because no engine failed. */
const ownErrors = [CodeGenerationForbidden, CompiledStale, MediaRangeInvalid, SchemaContentMissing];

export class RouteErrorContext {
  readonly #record: RouteRecord;
  readonly #node: ContextNode;

  constructor(record: RouteRecord, node: ContextNode) {
    this.#record = record;
    this.#node = node;
  }

  /** Runs a step of the route's compilation, and adds the location to its errors. */
  withLocation<T>(run: () => T): T {
    return withRouteErrorPlace(this.#record, this.#node, run);
  }

  /** Runs an engine. An error that it throws becomes the `cause` of a catalogue error that names the part and the path in its schema. */
  wrapBuildError<T>(Failed: typeof ValidationBuildFailed, build: () => T): T {
    try {
      return build();
    } catch (thrown) {
      const failure = thrown instanceof PartFailure ? thrown : undefined;
      const cause = failure === undefined ? thrown : failure.cause;
      if (ownErrors.some((OwnError) => cause instanceof OwnError))
        throw locateError(cause, () => this.#where);
      throw this.#makeError(Failed, cause, failure);
    }
  }

  #makeError(Failed: typeof ValidationBuildFailed, cause: unknown, failure: PartFailure | undefined): Error {
    const { method, url } = this.#record.options;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const { part } = failure ?? {};
    const explanation = failure && loadExplanations().explainFailure(failure, this.#shared);
    const { schemaPath, advice, sharedId } = explanation ?? {};
    const shared = sharedId === undefined ? undefined : this.#placeOfShared(sharedId);
    // Routes that use a shared schema are not to blame for it, and neither are those that only see it.
    const path = schemaPath && !reason.includes(`at ${schemaPath})`) && `at ${schemaPath}`;
    const location = [!shared && part && `in ${part}`, path].filter(Boolean).join(', ');
    const details = [location, advice].filter(Boolean).join('; ');
    const place = shared ?? { ...this.#where, ...(part && { part }) };
    const where = { ...place, ...(schemaPath && { schemaPath }) };
    const said = details && ` (${details})`;
    const error = Failed.at({ cause, where }, String(method), url, reason, said, shared && sharedId);
    return advice === undefined ? error : Object.assign(error, { hint: advice });
  }

  /** Where a shared schema was added; `undefined` if the application keeps its schemas itself. */
  #placeOfShared(id: string): DeclarationPlace | undefined {
    return findDeclaration(
      this.#node,
      ({ kind, value }) => kind === 'schema' && Object(loadJsonSchema().plainSchema(value)).$id === id,
    );
  }

  /** @throws {FileMisplaced} */
  rejectFile({ part, schemaPath }: MisplacedFile): never {
    throw FileMisplaced.at({ where: { ...this.#where, part, schemaPath } }, part, schemaPath);
  }

  get #shared(): SharedSchemas {
    return this.#node.schemas.visible;
  }

  get #where(): ErrorPlace {
    return routeErrorPlace(this.#record, this.#node);
  }
}

/** The location of an error in a route: its plugin, the route, and the line that declared it. */
function routeErrorPlace({ options, site }: RouteRecord, node: ContextNode): ErrorPlace {
  return { plugin: node.path, route: `${options.method} ${options.url}`, file: site.location };
}

/** Runs a step of the route's compilation, and adds the location to its errors. */
export function withRouteErrorPlace<T>(record: RouteRecord, node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw locateError(error, () => routeErrorPlace(record, node));
  }
}
