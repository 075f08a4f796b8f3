/** The errors of a route's schemas: names that are almost certainly mistakes, and where the error of a schema that does not compile belongs. */

import { encodeStep, followReference, keywordsInShortForm, type SchemaLocation } from '@ambit/json-schema';
import { findDeclaration } from '../context/app-state.ts';
import type { ContextNode } from '../context/context-node.ts';
import { checkSpelling, type KnownNames, reportMistake } from '../context/options/check-options.ts';
import type { RouteRecord } from '../context/routes/add-route.ts';
import { type ContentSchemas, eachSchema } from '../schemas/content-schemas.ts';
import type { MisplacedFile } from '../schemas/misplaced-files.ts';
import { PartFailure } from '../schemas/schema-build-error.ts';
import { loadJsonSchema } from '../schemas/schema-registry.ts';
import { type DeclarationPlace, type ErrorPlace, locateError } from '../shared/error-place.ts';
import { parameterNames } from '../shared/fill-path.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { isPlainObject } from '../shared/plain-object.ts';
import type { SharedSchemas } from '../types/compilers.ts';
import {
  CodeGenerationForbidden,
  CompiledStale,
  FileMisplaced,
  MediaRangeInvalid,
  OptionInvalid,
  ParamsMismatched,
  SchemaContentMissing,
  type ValidationBuildFailed,
} from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { RegisteredRoute } from '../types/route-info.ts';
import type { RouteSchema } from '../types/route-schema.ts';
import { warnMisspelled } from '../types/warnings.ts';

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

/** Keys that OpenAPI plugins read. */
const annotations: ReadonlySet<string> = new Set([
  ...['tags', 'summary', 'description', 'operationId', 'security', 'deprecated', 'hide', 'externalDocs'],
  ...['consumes', 'produces'],
]);

const spelling: KnownNames = {
  known: ['body', 'querystring', 'query', 'params', 'headers', 'response'],
  isAllowed: (name) => annotations.has(name) || /^x-/i.test(name),
};

/** @throws {UnknownOption} */
export function checkPartNames(
  schema: RouteSchema,
  route: RegisteredRoute,
  compatibility: Compatibility,
): void {
  checkSpelling(schema, spelling, nameOwner(route), compatibility);
}

/** @throws {OptionInvalid} for a schema that is neither full nor a short form, because every property would be sent. */
export function checkForms(
  response: ReadonlyMap<string, ContentSchemas>,
  route: RegisteredRoute,
  compatibility: Compatibility,
): void {
  const check = (schema: unknown, part: string): void => {
    const keywords = keywordsInShortForm(schema).map((keyword) => `'${keyword}'`);
    if (keywords.length === 0) return;
    const problem = `${part} is not the short form, because it has the keyword ${keywords.join(', ')}, and as a full schema it does not declare its other names`;
    reportMistake(compatibility, new OptionInvalid(nameOwner(route), problem));
  };
  for (const [status, entry] of response) eachSchema(entry, `response ${status}`, check);
}

/** A name in which a `params` schema differs from the path of its route. */
interface ParamsMismatch {
  readonly problem: string;
  readonly schemaPath: string;
}

/** What `checkParams` needs to know of the application. */
export interface ParamsSettings {
  readonly checksDeclarations: boolean;
  readonly isProduction: boolean;
  readonly shared: SharedSchemas;
}

/**
 * Rejects a `params` schema with which no request can work: it requires a parameter which the path does not have, or is closed without a
 * parameter of the path. Warns of one that only describes such a parameter. One with a default is allowed.
 *
 * @throws {ParamsMismatched}
 */
export function checkParams(params: unknown, route: RegisteredRoute, settings: ParamsSettings): void {
  const { method, url } = route;
  const names = parameterNames(url);
  const fatal = findMissing(params, names, settings.shared) ?? findForbidden(params, route);
  const mismatch = fatal ?? findDescribed(params, names);
  if (mismatch === undefined) return;
  const { problem, schemaPath } = mismatch;
  const declared = names.map((name) => `'${name}'`).join(', ') || 'none';
  const error = ParamsMismatched.at(
    { where: { part: 'params', schemaPath } },
    method,
    url,
    problem,
    declared,
  );
  if (fatal !== undefined && settings.checksDeclarations) throw error;
  if (!settings.isProduction) warnMisspelled(error.message);
}

/** Finds a parameter that is required, in the schema itself, in a schema that it refers to, or in an `allOf`. */
function findMissing(
  params: unknown,
  names: readonly string[],
  shared: SharedSchemas,
): ParamsMismatch | undefined {
  const visited = new Set<unknown>();
  const search = (schema: unknown, location: SchemaLocation): ParamsMismatch | undefined => {
    if (!isPlainObject(schema) || visited.has(schema)) return undefined;
    visited.add(schema);
    const { required, properties, allOf, $ref } = schema;
    const isMissing = (name: unknown): boolean =>
      typeof name === 'string' && !names.includes(name) && !hasDefault(Object(properties)[name]);
    const missing = Array.isArray(required) ? required.find(isMissing) : undefined;
    if (missing !== undefined)
      return {
        problem: `requires '${missing}', which the path does not have`,
        schemaPath: `${location.pointer}/required`,
      };
    const target = followReference($ref, location, shared);
    const found = target && search(target.schema, target.location);
    if (found !== undefined || !Array.isArray(allOf)) return found;
    for (const [index, part] of allOf.entries()) {
      const inner = search(part, { ...location, pointer: `${location.pointer}/allOf/${index}` });
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  return search(params, { document: params, pointer: '#' });
}

/**
 * Finds a parameter that `additionalProperties: false` removes or refuses. Parameters of a prefix are allowed, because a plugin need not know
 * under which prefix it is registered.
 */
function findForbidden(params: unknown, { routePath }: RegisteredRoute): ParamsMismatch | undefined {
  const { additionalProperties, properties, patternProperties } = Object(params) as Record<string, unknown>;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const forbidden = parameterNames(routePath).find((name) => !Object.hasOwn(Object(properties), name));
  if (forbidden === undefined) return undefined;
  return { problem: `forbids '${forbidden}'`, schemaPath: '#/additionalProperties' };
}

/** Finds a parameter that is only described. A `$ref` is not followed: schemas that routes share may have names of other routes. */
function findDescribed(params: unknown, names: readonly string[]): ParamsMismatch | undefined {
  const { properties } = Object(params) as { properties?: unknown };
  const described = Object.entries(Object(properties)).find(
    ([name, schema]) => !names.includes(name) && !hasDefault(schema),
  )?.[0];
  if (described === undefined) return undefined;
  const problem = `describes '${described}', which the path does not have`;
  return { problem, schemaPath: `#/properties/${encodeStep(described)}` };
}

function hasDefault(schema: unknown): boolean {
  return 'default' in Object(schema);
}

function nameOwner({ method, url }: RegisteredRoute): string {
  return `the schema of ${method} ${url}`;
}
