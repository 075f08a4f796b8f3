/** Adds to the error of a schema that does not compile its plugin, route and file. */

import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/routes/route-record.ts';
import type { SharedSchemas } from '../contract/compiler.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  FileMisplaced,
  SchemaContentMissing,
  type ValidationBuildFailed,
} from '../contract/errors.ts';
import type { MisplacedFile } from '../schemas/misplaced-files.ts';
import { explainFailure, PartFailure } from '../schemas/schema-build-error.ts';
import { type ErrorPlace, locateError } from '../shared/error-place.ts';
import { routePlace, withRoutePlace } from './route-place.ts';

/** Errors of the framework itself: no engine failed. */
const ownErrors = [CodeGenerationForbidden, CompiledStale, SchemaContentMissing];

export class RouteErrorContext {
  readonly #record: RouteRecord;
  readonly #node: ContextNode;

  constructor(record: RouteRecord, node: ContextNode) {
    this.#record = record;
    this.#node = node;
  }

  /** Runs a step of the route's compilation; its errors get the location. */
  withLocation<T>(run: () => T): T {
    return withRoutePlace(this.#record, this.#node, run);
  }

  /** Runs an engine; what it throws becomes the cause of an error of the catalogue that names the part and the path in its schema. */
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
    const { schemaPath, advice } = failure ? explainFailure(failure, this.#shared) : {};
    const place = [part && `in ${part}`, schemaPath && `at ${schemaPath}`].filter(Boolean).join(', ');
    const details = [place, advice].filter(Boolean).join('; ');
    const where = { ...this.#where, ...(part && { part }), ...(schemaPath && { schemaPath }) };
    const error = Failed.at({ cause, where }, String(method), url, reason, details && ` (${details})`);
    return advice === undefined ? error : Object.assign(error, { hint: advice });
  }

  /** @throws {FileMisplaced} */
  refuseFile({ part, schemaPath }: MisplacedFile): never {
    throw FileMisplaced.at({ where: { ...this.#where, part, schemaPath } }, part, schemaPath);
  }

  get #shared(): SharedSchemas {
    return this.#node.schemas.all() as SharedSchemas;
  }

  get #where(): ErrorPlace {
    return routePlace(this.#record, this.#node);
  }
}
