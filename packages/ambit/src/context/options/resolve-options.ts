/** Checks the options of the factory, also those of its router, and fills in the defaults of the specification. */
import { didYouMean, nearestName } from '../../shared/nearest-name.ts';
import { frozenCopy, isPlainObject } from '../../shared/values.ts';
import type { AjvOptions, SchemaControllerOptions } from '../../types/compilers.ts';
import {
  AjvOptionsNotObject,
  AjvPluginsNotArray,
  BodyLimitInvalid,
  OptionsInvalid,
  OptionsNotObject,
  QuerystringParserNotFunction,
  SchemaBucketNotFunction,
  UnknownOption,
} from '../../types/errors.ts';
import type { OverloadSettings } from '../../types/feature-options.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { AmbitOptions, RouterOptions, ServerSettings } from '../../types/options.ts';
import {
  warnRequestIdLabelOption,
  warnRequestLoggingOption,
  warnRouterOptions,
  warnSerializerAjvOptions,
} from '../../types/warnings.ts';
import {
  allChecks,
  type Checks,
  checkFormatter,
  checkNames,
  checkPositiveInteger,
  checkTypes,
  functionOrFalse,
  type MakeError,
  numberIfText,
  type OptionTypes,
  objectOrFalse,
  passes,
  reportMistake,
  typeOf,
} from './check-options.ts';
import { checkMultipart, resolveOverload } from './limit-options.ts';

/** The defaults. A value must have the type of its default, or a type that `otherTypes` lists. */
const publicDefaults = {
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  handlerTimeout: 0,
  maxRequestsPerSocket: 0,
  http2SessionTimeout: 72_000,
  bodyLimit: 1_048_576,
  pluginTimeout: 10_000,
  onProtoPoisoning: 'error',
  onConstructorPoisoning: 'error',
  exposeHeadRoutes: true,
  return503OnClosing: true,
  allowErrorHandlerOverride: true,
  requestIdHeader: false,
  requestIdLogLabel: 'reqId',
  disableRequestLogging: false,
} as const;

type PublicOptions = { [Name in keyof typeof publicDefaults]: NonNullable<AmbitOptions[Name]> };

/** Those that Fastify does not have: nobody sets them by accident, so they are checked on the facade, too. */
const ambitTypes: OptionTypes = {
  engine: ["'node'"],
  compile: ["'boot'", "'first-use'", "'background'"],
  compiled: objectOrFalse,
  health: ['object', 'boolean'],
  overload: ['object', 'boolean'],
  multipart: ['object'],
  errors: ["'json'", "'problem'"],
  responses: ["'declared'", "'any'"],
  reportSerialization: ['boolean'],
  errorPage: ['boolean'],
  logTraceContext: ['boolean'],
};

/** Options that are objects or functions. */
const otherTypes: OptionTypes = {
  ...ambitTypes,
  http: ['object'],
  https: ['object', 'boolean'],
  http2: ['boolean'],
  serverFactory: functionOrFalse,
  forceCloseConnections: ['boolean', "'idle'"],
  childLoggerFactory: functionOrFalse,
  genReqId: functionOrFalse,
  ajv: objectOrFalse,
  serializerOpts: objectOrFalse,
  schemaController: objectOrFalse,
  frameworkErrors: functionOrFalse,
  clientErrorHandler: functionOrFalse,
  rewriteUrl: functionOrFalse,
  routerOptions: ['object'],
  requestIdHeader: ['string', 'boolean'],
  disableRequestLogging: ['boolean', 'function'],
};

const routerDefaults = {
  allowUnsafeRegex: false,
  caseSensitive: true,
  compile: false,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 100,
  useSemicolonDelimiter: false,
} as const;

const routerTypes: OptionTypes = {
  constraints: ['object'],
  buildPrettyMeta: ['function'],
  defaultRoute: ['function'],
  onBadUrl: ['function'],
  onMaxParamLength: ['function'],
};

const routerNames: readonly string[] = [
  ...Object.keys(routerDefaults),
  ...Object.keys(routerTypes),
  'querystringParser',
];

const knownNames: readonly string[] = [
  ...Object.keys(publicDefaults),
  ...Object.keys(otherTypes),
  // These are checked where they are used.
  ...['logger', 'loggerInstance', 'logController', 'trustProxy', 'schemaErrorFormatter'],
  ...routerNames.filter((name) => name !== 'compile'),
];

/** The options with all defaults filled in, as the layers above read them. */
export interface ResolvedOptions extends Omit<PublicOptions, 'requestIdHeader'>, ServerSettings {
  readonly requestIdHeader: string | false;
  readonly ajv: AjvOptions;
  /** The options that contain no secrets, with their defaults, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
  readonly router: RouterOptions;
  readonly reportSerialization: boolean;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  /** Whether `NODE_ENV` is neither `production` nor `test`, and the application is no facade. */
  readonly isDevelopment: boolean;
  /** `false` without overload protection. */
  readonly overload: OverloadSettings | false;
}

/** Checks the options, and fills in the defaults. The errors name the option and what it takes. */
export function resolveOptions(
  input: AmbitOptions | undefined,
  compatibility: Compatibility,
): ResolvedOptions {
  if (input && typeof input !== 'object') throw new OptionsNotObject(typeOf(input));
  const userOptions: AmbitOptions = { ...input };
  checkNames(userOptions, knownNames, 'the factory', compatibility);
  checkTypes(userOptions, ambitTypes, OptionsInvalid);
  checkTypes(userOptions, { ...otherTypes, ...routerTypes }, OptionsInvalid, compatibility);
  removeUnsetOptions(userOptions);
  if (userOptions.routerOptions != null) {
    userOptions.routerOptions = { ...userOptions.routerOptions };
    checkNames(userOptions.routerOptions, routerNames, 'routerOptions', compatibility);
    checkTypes(userOptions.routerOptions, routerTypes, OptionsInvalid, compatibility);
  }
  checkOptionsWithOwnErrors(userOptions, compatibility);
  checkPositiveInteger(userOptions.bodyLimit, BodyLimitInvalid);
  if (userOptions.multipart != null) checkMultipart(userOptions.multipart, OptionsInvalid);
  const publicOptions = resolvePublicOptions(userOptions, compatibility);
  const router = resolveRouterOptions(userOptions, compatibility);
  if (userOptions.disableRequestLogging !== undefined) warnRequestLoggingOption(compatibility.messages);
  if (userOptions.requestIdLogLabel !== undefined) warnRequestIdLabelOption(compatibility.messages);
  const { requestIdHeader: header } = publicOptions;
  const requestIdHeader = header === true ? 'request-id' : header ? header.toLowerCase() : false;
  return {
    ...publicOptions,
    userOptions,
    router,
    ajv: resolveAjv(userOptions, compatibility),
    isProduction: process.env.NODE_ENV === 'production',
    isDevelopment:
      compatibility.messages === 'ambit' && !['production', 'test'].includes(process.env.NODE_ENV ?? ''),
    reportSerialization: userOptions.reportSerialization ?? process.env.NODE_ENV === 'development',
    overload: userOptions.overload ? resolveOverload(userOptions.overload, OptionsInvalid) : false,
    requestIdHeader,
    initialConfig: makeInitialConfig(userOptions, { ...publicOptions, requestIdHeader }, router),
  };
}

/** Removes options that are `null` or `false` (from `condition && value`), so that later code must handle only `undefined`. */
function removeUnsetOptions(userOptions: AmbitOptions): void {
  const values = userOptions as Record<string, unknown>;
  for (const [name, types] of Object.entries(otherTypes)) {
    if (types.includes('false') && !values[name]) delete values[name];
  }
}

/** Checks the options whose errors have codes of their own. */
function checkOptionsWithOwnErrors(userOptions: AmbitOptions, compatibility: Compatibility): void {
  const { forceCloseConnections, querystringParser, routerOptions, schemaController, schemaErrorFormatter } =
    userOptions;
  for (const parser of [querystringParser, routerOptions?.querystringParser]) {
    if (parser && typeof parser !== 'function') throw new QuerystringParserNotFunction(typeof parser);
  }
  // For other options, `null` means that the option is not set. Here it may be meant as `false`, which is not the same.
  if (forceCloseConnections === null) {
    throw new OptionsInvalid("forceCloseConnections must be boolean or 'idle', instead got null");
  }
  const controller = readSchemaController(schemaController, OptionsInvalid, compatibility);
  if (controller === undefined) delete userOptions.schemaController;
  else userOptions.schemaController = controller;
  if (userOptions.serializerOpts !== undefined)
    userOptions.serializerOpts = { ...userOptions.serializerOpts };
  checkSerializerOptions(userOptions, compatibility);
  if (schemaErrorFormatter) checkFormatter(schemaErrorFormatter);
}

function resolvePublicOptions(userOptions: AmbitOptions, checks: Checks): PublicOptions {
  const values = userOptions as Record<string, unknown>;
  const resolved = Object.entries(publicDefaults).map(([name, value]) => {
    const set = numberIfText(values[name] ?? value, value);
    // Fastify takes true, false, '' and negative integers for a number, and refuses other values.
    const isIgnored =
      typeof value !== 'number' || typeof set === 'boolean' || set === '' || Number.isInteger(set);
    const isValid = passes(isIgnored ? checks : allChecks, () => checkValue(name, set));
    return [name, isValid ? set : value] as const;
  });
  return Object.fromEntries(resolved) as unknown as PublicOptions;
}

const poisonings = ['error', 'remove', 'ignore'];

function checkValue(name: string, value: unknown): void {
  const type = typeof publicDefaults[name as keyof typeof publicDefaults];
  if (!(name in otherTypes) && typeof value !== type) {
    throw new OptionsInvalid(`${name} must be ${type}, instead got ${JSON.stringify(value) ?? typeof value}`);
  }
  if (type === 'number' && !(Number.isInteger(value) && (value as number) >= 0)) {
    throw new OptionsInvalid(`${name} must be an integer >= 0, instead got ${value}`);
  }
  if (name.endsWith('Poisoning') && !poisonings.includes(value as string)) {
    const hint = didYouMean(String(value), poisonings);
    throw OptionsInvalid.at({ hint }, `${name} must be one of ${poisonings.join(', ')}`);
  }
}

function resolveRouterOptions(userOptions: AmbitOptions, compatibility: Compatibility): RouterOptions {
  const values = userOptions as Record<string, unknown>;
  const own = (userOptions.routerOptions ?? {}) as Record<string, unknown>;
  const misplaced = routerNames.filter((name) => name !== 'compile' && Object.hasOwn(userOptions, name));
  if (misplaced.length > 0) warnRouterOptions(compatibility.messages, misplaced.join(', '));
  const defaults = routerDefaults as Record<string, unknown>;
  const resolved = routerNames.map((name) => {
    // At the top level, `compile` is an option about schemas.
    const given = own[name] ?? (name === 'compile' ? undefined : values[name]) ?? defaults[name];
    const value = numberIfText(given, defaults[name]);
    const type = typeof defaults[name];
    if (!(name in defaults) || typeof value === type) return [name, value] as const;
    const error = new OptionsInvalid(`${name} must be ${type}, instead got ${String(value)}`);
    if (name === 'compile') throw error;
    reportMistake(compatibility, error);
    return [name, type === 'boolean' ? Boolean(value) : defaults[name]] as const;
  });
  return Object.fromEntries(resolved.filter(([, value]) => value !== undefined)) as RouterOptions;
}

const ajvNames = ['customOptions', 'plugins', 'onCreate', 'mode', 'dialect'];
const ajvTypes: OptionTypes = { onCreate: ['function'], mode: ['string'] };
const dialects: OptionTypes = { dialect: ["'draft-07'", "'2020-12'"] };
const serializerTypes: OptionTypes = { rounding: ["'ceil'", "'floor'", "'round'", "'trunc'"] };
/** Options of Ajv that can change which branch of `oneOf`, `anyOf` or `if` a value matches. */
const branchingAjvNames = ['coerceTypes', 'formats', 'keywords', 'removeAdditional', 'useDefaults'];
const controllerNames = ['bucket', 'compilersFactory'];
const controllerTypes: OptionTypes = { compilersFactory: objectOrFalse };
const factoryTypes: OptionTypes = { buildValidator: ['function'], buildSerializer: ['function'] };

function resolveAjv({ ajv, schemaController }: AmbitOptions, checks: Checks): AjvOptions {
  const { customOptions = {}, plugins = [], ...rest } = ajv ?? {};
  if (!isPlainObject(customOptions)) throw new AjvOptionsNotObject(typeof customOptions);
  if (!Array.isArray(plugins)) throw new AjvPluginsNotArray(typeof plugins);
  // Another engine has options of its own.
  if (!schemaController?.compilersFactory?.buildValidator) {
    checkNames(rest, ajvNames, 'ajv', checks);
    checkTypes(rest, ajvTypes, OptionsInvalid, checks);
    checkTypes(rest, dialects, (problem) => OptionsInvalid(`ajv.${problem}`));
    if (rest.mode === 'JTD' && rest.dialect)
      throw new OptionsInvalid("ajv.dialect is for JSON Schema, but ajv.mode is 'JTD'");
  }
  return { ...rest, customOptions, plugins };
}

/**
 * Our engine reads only `rounding`. Other names are accepted, because applications set options of fast-json-stringify: most of them
 * tune it, and the output is the same without them.
 */
function checkSerializerOptions({ serializerOpts, schemaController }: AmbitOptions, checks: Checks): void {
  // Another engine has options of its own.
  if (serializerOpts === undefined || schemaController?.compilersFactory?.buildSerializer) return;
  checkTypes(
    serializerOpts,
    serializerTypes,
    (problem) => OptionsInvalid(`serializerOpts.${problem}`),
    checks,
  );
  for (const name of Object.keys(serializerOpts)) {
    const nearest = nearestName(name, Object.keys(serializerTypes));
    if (nearest !== undefined && nearest !== name)
      reportMistake(checks, new UnknownOption(name, 'serializerOpts', nearest));
  }
  const ajv = Object(serializerOpts.ajv) as Readonly<Record<string, unknown>>;
  const branchingNames = branchingAjvNames.filter((name) => ajv[name]);
  if (branchingNames.length > 0) warnSerializerAjvOptions(branchingNames.join(', '));
}

/** @returns A copy without what is ignored; `undefined` if none is set. */
export function readSchemaController(
  userController: unknown,
  makeError: MakeError,
  checks: Checks,
): SchemaControllerOptions | undefined {
  const given = { schemaController: userController };
  checkTypes(given, { schemaController: objectOrFalse }, makeError, checks);
  if (!given.schemaController) return undefined;
  const controller: SchemaControllerOptions = { ...given.schemaController };
  checkNames(controller, controllerNames, 'schemaController', checks);
  checkTypes(controller, controllerTypes, makeError, checks);
  const { bucket } = controller as { bucket?: unknown };
  if (bucket && typeof bucket !== 'function') throw new SchemaBucketNotFunction(typeof bucket);
  if (controller.compilersFactory) {
    const factory = { ...controller.compilersFactory };
    checkNames(factory, Object.keys(factoryTypes), 'schemaController.compilersFactory', checks);
    checkTypes(factory, factoryTypes, makeError, checks);
    controller.compilersFactory = factory;
  }
  return controller;
}

/** Options that are shown only if they were set, because the ecosystem does not expect their defaults. */
const publicWhenSet = ['headersTimeout', 'return503OnClosing', 'allowErrorHandlerOverride'] as const;

function makeInitialConfig(
  userOptions: AmbitOptions,
  publicOptions: PublicOptions,
  router: RouterOptions,
): Readonly<Record<string, unknown>> {
  const simple = Object.fromEntries(Object.entries(router).filter(([name]) => name in routerDefaults));
  const { compile, ...atTopLevel } = simple;
  const config: Record<string, unknown> = { ...publicOptions, ...atTopLevel };
  for (const name of publicWhenSet) if (userOptions[name] === undefined) delete config[name];
  if (userOptions.constraints !== undefined) config.constraints = userOptions.constraints;
  if (userOptions.routerOptions != null) config.routerOptions = { ...userOptions.routerOptions, ...simple };
  if (userOptions.forceCloseConnections !== undefined)
    config.forceCloseConnections = userOptions.forceCloseConnections;
  if (userOptions.http2 !== undefined) config.http2 = userOptions.http2;
  if (userOptions.https !== undefined) config.https = publicHttps(userOptions.https);
  return frozenCopy(config);
}

function publicHttps(https: AmbitOptions['https']): unknown {
  if (typeof https !== 'object' || https === null) return https;
  const { allowHTTP1 } = https;
  return allowHTTP1 === undefined ? true : { allowHTTP1 };
}
