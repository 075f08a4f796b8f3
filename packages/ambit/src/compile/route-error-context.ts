/** Says of a schema that cannot be compiled which plugin, route and file it came from. */

import type { ContextNode } from '../context/context-node.ts';
import type { RouteRecord } from '../context/route-record.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  SchemaContentMissing,
  type ValidationBuildFailed,
} from '../contract/errors.ts';
import { type ErrorPlace, locateError } from '../shared/define-error.ts';

/** These speak for themselves: no engine failed. */
const speaking = [CodeGenerationForbidden, CompiledStale, SchemaContentMissing];

export class RouteErrorContext {
  readonly #record: RouteRecord;
  readonly #node: ContextNode;

  constructor(record: RouteRecord, node: ContextNode) {
    this.#record = record;
    this.#node = node;
  }

  /** Runs a step of the route's compilation; its errors get the place. */
  withLocation<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      throw locateError(error, () => this.#where);
    }
  }

  /** Runs an engine; what it throws becomes the cause of an error of the catalogue. */
  building<T>(Failed: typeof ValidationBuildFailed, build: () => T): T {
    return this.withLocation(() => {
      try {
        return build();
      } catch (cause) {
        if (speaking.some((Known) => cause instanceof Known)) throw cause;
        const { method, url } = this.#record.options;
        throw Failed.at(
          { cause },
          String(method),
          url,
          cause instanceof Error ? cause.message : String(cause),
        );
      }
    });
  }

  get #where(): ErrorPlace {
    const { options, site } = this.#record;
    return { plugin: this.#node.path, route: `${options.method} ${options.url}`, file: site.place };
  }
}
