/** Checks the options of the factory and fills in the defaults of the specification. */

import type { Compatibility } from '../../contract/compatibility.ts';
import {
  BodyLimitInvalid,
  OptionsInvalid,
  OptionsNotObject,
  QuerystringParserNotFunction,
} from '../../contract/errors.ts';
import type { AmbitOptions, RouterOptions } from '../../contract/options.ts';
import type { OverloadSettings } from '../../contract/overload.ts';
import type { PoisoningAction } from '../../contract/parsers.ts';
import type { ServerSettings } from '../../contract/server.ts';
import {
  warnRequestIdLabelOption,
  warnRequestLoggingOption,
  warnRouterOptions,
} from '../../contract/warnings.ts';
import { type ArtifactModule, readArtifact } from '../../schemas/artifact/artifact.ts';
import { frozenCopy } from '../../shared/plain-object.ts';
import type { AppOptions } from '../app-state.ts';
import { type HealthPaths, resolveHealth } from '../health/check-health-options.ts';
import { checkMultipart } from './check-multipart-options.ts';
import {
  checkNames,
  checkPositiveInteger,
  checkTypes,
  functionOrFalse,
  type OptionTypes,
  objectOrFalse,
} from './check-options.ts';
import { resolveOverload } from './check-overload-options.ts';
import {
  checkFormatter,
  checkSchemaController,
  checkSerializerOptions,
  resolveAjv,
} from './check-schema-options.ts';

/** Simple options that `initialConfig` may show, with their defaults. */
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

const routerDefaults = {
  allowUnsafeRegex: false,
  caseSensitive: true,
  compile: false,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 100,
  useSemicolonDelimiter: false,
} as const;

/** Options that are only in `initialConfig` if they were set, because the ecosystem does not expect their defaults there. */
const publicWhenSet = ['headersTimeout', 'return503OnClosing', 'allowErrorHandlerOverride'] as const;

const routerTypes: OptionTypes = {
  constraints: ['object'],
  buildPrettyMeta: ['function'],
  defaultRoute: ['function'],
  onBadUrl: ['function'],
  onMaxParamLength: ['function'],
};

/** Options that are objects or functions. */
const otherTypes: OptionTypes = {
  http: ['object'],
  https: ['object', 'boolean'],
  http2: ['boolean'],
  engine: ["'node'"],
  compile: ["'boot'", "'first-use'", "'background'"],
  compiled: objectOrFalse,
  serverFactory: functionOrFalse,
  forceCloseConnections: ['boolean', "'idle'"],
  health: ['object', 'boolean'],
  overload: ['object', 'boolean'],
  childLoggerFactory: functionOrFalse,
  genReqId: functionOrFalse,
  ajv: objectOrFalse,
  serializerOpts: objectOrFalse,
  reportSerialization: ['boolean'],
  schemaController: objectOrFalse,
  frameworkErrors: functionOrFalse,
  clientErrorHandler: functionOrFalse,
  errors: ["'json'", "'problem'"],
  rewriteUrl: functionOrFalse,
  routerOptions: ['object'],
  multipart: ['object'],
  requestIdHeader: ['string', 'boolean'],
  logTraceContext: ['boolean'],
  disableRequestLogging: ['boolean', 'function'],
};

/** Options that are checked where they are used. */
const checkedElsewhere = [
  'logger',
  'loggerInstance',
  'logController',
  'trustProxy',
  'schemaErrorFormatter',
] as const;

const routerNames: readonly string[] = [
  ...Object.keys(routerDefaults),
  ...Object.keys(routerTypes),
  'querystringParser',
];
const knownNames: readonly string[] = [
  ...Object.keys(publicDefaults),
  ...Object.keys(otherTypes),
  ...checkedElsewhere,
  ...routerNames.filter((name) => name !== 'compile'),
];

/** The options with everything filled in, as the layers above read them. */
export interface ResolvedOptions extends AppOptions, ServerSettings {
  readonly router: RouterOptions;
  readonly return503OnClosing: boolean;
  readonly reportSerialization: boolean;
  /** Whether requests that hang are reported: wherever it is not known that this is production. */
  readonly reportUnanswered: boolean;
  readonly compiled: ArtifactModule | undefined;
  /** The paths of probes; `undefined` where the application answers none. */
  readonly health: HealthPaths | undefined;
  /** `false` without overload protection. */
  readonly overload: OverloadSettings | false;
  /** The options that hold no secrets, with their defaults, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
}

/** @throws An error of the catalogue that names the option and what it takes. */
export function resolveOptions(
  input: AmbitOptions | undefined,
  messages: Compatibility['messages'],
): ResolvedOptions {
  if (input && typeof input !== 'object') throw new OptionsNotObject();
  const userOptions: AmbitOptions = { ...input };
  checkNames(userOptions, knownNames, 'the factory');
  checkTypes(userOptions, { ...otherTypes, ...routerTypes }, OptionsInvalid);
  leaveOutNothings(userOptions);
  if (userOptions.routerOptions != null) {
    checkNames(userOptions.routerOptions, routerNames, 'routerOptions');
    checkTypes(userOptions.routerOptions, routerTypes, OptionsInvalid);
  }
  checkSpecials(userOptions);
  checkPositiveInteger(userOptions.bodyLimit, BodyLimitInvalid);
  checkMultipart(userOptions.multipart, OptionsInvalid);
  const publicOptions = withDefaults(publicDefaults, userOptions);
  checkPublicOptions(publicOptions, publicDefaults);
  const router = resolveRouter(userOptions, messages);
  warnDeprecated(userOptions, messages);
  const { requestIdHeader: header } = publicOptions;
  const requestIdHeader = header === true ? 'request-id' : lowered(header);
  return {
    ...publicOptions,
    userOptions,
    router,
    multipart: userOptions.multipart,
    ajv: resolveAjv(userOptions, OptionsInvalid),
    reportUnanswered: process.env.NODE_ENV !== 'production',
    reportSerialization: userOptions.reportSerialization ?? process.env.NODE_ENV === 'development',
    compiled: userOptions.compiled ? resolveCompiled(userOptions.compiled) : undefined,
    overload: resolveOverload(userOptions.overload ?? false, OptionsInvalid),
    health: userOptions.health ? resolveHealth(userOptions.health) : undefined,
    hasOwnServer: userOptions.serverFactory !== undefined,
    ignoreTrailingSlash: router.ignoreTrailingSlash ?? false,
    ignoreDuplicateSlashes: router.ignoreDuplicateSlashes ?? false,
    requestIdHeader,
    logsTraceContext: userOptions.logTraceContext === true,
    initialConfig: showConfig(userOptions, { ...publicOptions, requestIdHeader }, router),
  };
}

function resolveCompiled(userOptions: object): ArtifactModule {
  const compiled = readArtifact(userOptions);
  if (compiled !== undefined) return compiled;
  throw new OptionsInvalid('compiled must be the module that compileSchemas wrote');
}

type PublicOptions = {
  -readonly [Name in keyof typeof publicDefaults]: Widen<(typeof publicDefaults)[Name]>;
};
type Widen<T> = T extends number
  ? number
  : T extends boolean
    ? boolean | string
    : T extends 'error'
      ? PoisoningAction
      : string;
type ResolvedPublicOptions = Omit<
  PublicOptions,
  'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride'
> &
  Record<'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride', boolean>;

function withDefaults(defaults: typeof publicDefaults, userOptions: AmbitOptions): ResolvedPublicOptions {
  const values = userOptions as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, likeDefault(values[name] ?? value, value)]),
  ) as unknown as ResolvedPublicOptions;
}

/** Numbers often come from the environment, as text. */
function likeDefault(value: unknown, like: unknown): unknown {
  const isText = typeof like === 'number' && typeof value === 'string' && /^\d+$/.test(value);
  return isText ? Number(value) : value;
}

function lowered(header: string | boolean): string | false {
  return typeof header === 'string' && header !== '' ? header.toLowerCase() : false;
}

/** `condition && value`, or null, stands for no value at all: readers need only know `undefined`. */
function leaveOutNothings(userOptions: AmbitOptions): void {
  const values = userOptions as Record<string, unknown>;
  for (const [name, types] of Object.entries(otherTypes)) {
    if (types.includes('false') && !values[name]) delete values[name];
  }
}

/** Those whose errors have codes of their own. */
function checkSpecials(userOptions: AmbitOptions): void {
  const { forceCloseConnections, querystringParser, routerOptions, schemaController, schemaErrorFormatter } =
    userOptions;
  for (const parser of [querystringParser, routerOptions?.querystringParser]) {
    if (parser && typeof parser !== 'function') throw new QuerystringParserNotFunction(typeof parser);
  }
  // Null leaves an option out, but here it may be meant as `false`, which is a choice of its own.
  if (forceCloseConnections === null) {
    throw new OptionsInvalid("forceCloseConnections must be boolean or 'idle', instead got null");
  }
  checkSchemaController(schemaController, OptionsInvalid);
  checkSerializerOptions(userOptions, OptionsInvalid);
  if (schemaErrorFormatter) checkFormatter(schemaErrorFormatter);
}

/** Simple options are of the type of their default; numbers are not negative. */
function checkPublicOptions(
  publicOptions: ResolvedPublicOptions,
  defaults: Readonly<Record<string, unknown>>,
): void {
  const poisoning = new Set(['error', 'remove', 'ignore']);
  for (const [name, value] of Object.entries(publicOptions)) {
    const type = typeof defaults[name];
    if (!(name in otherTypes) && typeof value !== type) {
      throw new OptionsInvalid(
        `${name} must be ${type}, instead got ${JSON.stringify(value) ?? typeof value}`,
      );
    }
    if (type === 'number' && !(Number.isInteger(value) && (value as number) >= 0)) {
      throw new OptionsInvalid(`${name} must be an integer >= 0, instead got ${value}`);
    }
    if (name.endsWith('Poisoning') && !poisoning.has(value as string)) {
      throw new OptionsInvalid(`${name} must be one of error, remove, ignore`);
    }
  }
}

function resolveRouter(userOptions: AmbitOptions, messages: Compatibility['messages']): RouterOptions {
  const values = userOptions as Record<string, unknown>;
  const own = (userOptions.routerOptions ?? {}) as Record<string, unknown>;
  const misplaced = routerNames.filter((name) => name !== 'compile' && Object.hasOwn(userOptions, name));
  if (misplaced.length > 0) warnRouterOptions(messages, misplaced.join(', '));
  const defaults = routerDefaults as Record<string, unknown>;
  const entries = routerNames.map((name) => {
    // At the top level `compile` is about schemas.
    const value = own[name] ?? (name === 'compile' ? undefined : values[name]) ?? defaults[name];
    return [name, likeDefault(value, defaults[name])] as const;
  });
  for (const [name, value] of entries) {
    const type = typeof defaults[name];
    if (name in defaults && typeof value !== type)
      throw new OptionsInvalid(`${name} must be ${type}, instead got ${value}`);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as RouterOptions;
}

function warnDeprecated(
  { disableRequestLogging, requestIdLogLabel }: AmbitOptions,
  messages: Compatibility['messages'],
): void {
  if (disableRequestLogging !== undefined) warnRequestLoggingOption(messages);
  if (requestIdLogLabel !== undefined) warnRequestIdLabelOption(messages);
}

/** The options for `initialConfig`: no secrets, in particular no key of a certificate. */
function showConfig(
  userOptions: AmbitOptions,
  publicOptions: ResolvedPublicOptions,
  router: RouterOptions,
): Readonly<Record<string, unknown>> {
  const {
    buildPrettyMeta,
    querystringParser,
    constraints,
    defaultRoute,
    onBadUrl,
    onMaxParamLength,
    ...simple
  } = router;
  const { compile, ...atTopLevel } = simple;
  const config: Record<string, unknown> = { ...publicOptions, ...atTopLevel };
  for (const name of publicWhenSet) if (userOptions[name] === undefined) delete config[name];
  if (userOptions.constraints !== undefined) config.constraints = userOptions.constraints;
  if (userOptions.routerOptions != null) config.routerOptions = { ...userOptions.routerOptions, ...simple };
  if (userOptions.forceCloseConnections !== undefined)
    config.forceCloseConnections = userOptions.forceCloseConnections;
  if (userOptions.http2 !== undefined) config.http2 = userOptions.http2;
  if (userOptions.https !== undefined) config.https = showHttps(userOptions.https);
  return frozenCopy(config);
}

function showHttps(https: AmbitOptions['https']): unknown {
  if (typeof https !== 'object' || https === null) return https;
  const { allowHTTP1 } = https;
  return allowHTTP1 === undefined ? true : { allowHTTP1 };
}
