/** Is the declaration of a route valid: its handler, limits, schema and options? */
import { attempt } from '../../shared/thrown-values.ts';
import {
  BodyLimitInvalid,
  BodySchemaUnsupported,
  HandlerTimeoutInvalid,
  OptionInvalid,
  RouteHandlerMissing,
  RouteHandlerNotFunction,
} from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { RouteOptions, RouteSettings, StreamOptions } from '../../types/route-options.ts';
import type { ContextNode } from '../context-node.ts';
import { requestHookNames } from '../hooks.ts';
import {
  checkFormatter,
  checkInteger,
  checkNames,
  checkPositiveInteger,
  checkSpelling,
  checkTypes,
  functionOrFalse,
  type MakeError,
  maxTimerMs,
  type OptionTypes,
  objectOrFalse,
  passes,
  typeOf,
} from '../options/check-options.ts';
import { checkMultipart, checkRouteOverload } from '../options/limit-options.ts';

const types: OptionTypes = {
  schema: objectOrFalse,
  attachValidation: ['boolean'],
  validatorCompiler: functionOrFalse,
  serializerCompiler: functionOrFalse,
  childLoggerFactory: functionOrFalse,
  config: objectOrFalse,
  constraints: objectOrFalse,
  exposeHeadRoute: ['boolean'],
  prefixTrailingSlash: ["'both'", "'slash'", "'no-slash'"],
  logSerializers: objectOrFalse,
};
const ambitTypes: OptionTypes = { stream: ['object'], overload: objectOrFalse };

const names: readonly string[] = [
  ...Object.keys({ ...types, ...ambitTypes }),
  ...requestHookNames,
  ...['method', 'url', 'path', 'handler', 'errorHandler', 'schemaErrorFormatter', 'bodyLimit', 'multipart'],
  ...['handlerTimeout', 'logLevel'],
  // A hook that declares a copy of a route passes these on.
  ...['routePath', 'prefix'],
];

/** @param isAutomatic Whether it is the HEAD route of a GET route, whose options were checked with that route. */
export function checkRoute(
  { app, methods }: ContextNode,
  options: RouteOptions,
  url: string,
  isAutomatic: boolean,
): void {
  const { compatibility } = app;
  const name = String(options.method);
  if (!options.handler) throw new RouteHandlerMissing(name, url);
  for (const option of ['handler', 'errorHandler'] as const) {
    const value: unknown = options[option];
    if (value !== undefined && typeof value !== 'function')
      throw new RouteHandlerNotFunction(name, url, option, typeOf(value));
  }
  if (!isAutomatic) checkRouteOptions(options, `route ${name} ${url}`, compatibility);
  checkPositiveInteger(options.bodyLimit, BodyLimitInvalid);
  // In Fastify, a route cannot turn off the time limit of the application.
  if (options.handlerTimeout !== 0 || compatibility.messages === 'fastify')
    checkPositiveInteger(options.handlerTimeout, HandlerTimeoutInvalid);
  for (const method of [options.method].flat()) {
    if (options.schema && options.schema.body != null && !methods.get(method))
      throw new BodySchemaUnsupported(method, url);
  }
}

export function checkRouteOptions(options: object, owner: string, compatibility: Compatibility): void {
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  // Without its constraints, a route would serve requests that are not meant for it. Fastify refuses such values, too.
  const { constraints } = options as { constraints?: unknown };
  if (constraints && !compatibility.checksDeclarations)
    checkTypes({ constraints }, { constraints: ['object', 'array'] }, makeError);
  checkTypes(options, types, makeError, compatibility);
  for (const name of ambitNames) passes(compatibility, () => checkAmbitOption(options, name, owner));
  const set = options as { schemaErrorFormatter?: unknown };
  const { schemaErrorFormatter } = set;
  if (schemaErrorFormatter && !passes(compatibility, () => checkFormatter(schemaErrorFormatter)))
    set.schemaErrorFormatter = undefined;
  // Published plugins have the option `errorHandlers`.
  checkSpelling(options, names, owner, compatibility, (name) => name === 'errorHandlers');
}

/** The options that Fastify does not have. On the facade, plugins may have options of these names. */
const ambitNames = ['stream', 'multipart', 'overload'] as const;
type AmbitOption = (typeof ambitNames)[number];

/** The value of an option that Fastify does not have; `undefined` if it is not set, or is not ours but that of a plugin. */
export function ambitOption<Name extends AmbitOption>(
  options: RouteSettings,
  name: Name,
): RouteSettings[Name] | undefined {
  // If the check fails, a warning has said so at the declaration.
  return attempt(() => {
    checkAmbitOption(options, name, 'the route');
    return options[name];
  });
}

function checkAmbitOption(options: object, name: AmbitOption, owner: string): void {
  const makeError = (problem: string): Error => OptionInvalid(owner, problem);
  const { stream, multipart, overload } = options as RouteSettings;
  checkTypes({ [name]: (options as RouteSettings)[name] }, ambitTypes, makeError);
  if (name === 'stream' && stream) checkStreamOptions(stream, owner, makeError);
  if (name === 'multipart' && multipart !== undefined) checkMultipart(multipart, makeError);
  if (name === 'overload' && overload) checkRouteOverload(overload, owner, makeError);
}

function checkStreamOptions(options: StreamOptions, owner: string, makeError: MakeError): void {
  checkNames(options, ['heartbeatMs', 'closeMs'], `the stream of ${owner}`);
  const { heartbeatMs, closeMs } = options;
  const limits = { to: maxTimerMs, orElse: ', or false' };
  if (heartbeatMs !== false) checkInteger('stream.heartbeatMs', heartbeatMs, 1, makeError, limits);
  checkInteger('stream.closeMs', closeMs, 0, makeError, { to: maxTimerMs });
}
