/** Checks the options of the factory and fills in the defaults of the specification. */
import type { AjvOptions } from '../contract/compiler.ts';
import {
  AjvOptionsNotObject,
  AjvPluginsNotArray,
  BodyLimitInvalid,
  OptionsInvalid,
  OptionsNotObject,
  QuerystringParserNotFunction,
  SchemaBucketNotFunction,
  SchemaErrorFormatterNotFunction,
  UnknownOption,
} from '../contract/errors.ts';
import type { AmbitOptions, RouterOptions } from '../contract/options.ts';
import {
  warnRequestIdLabelOption,
  warnRequestLoggingOption,
  warnRouterOptions,
} from '../contract/warnings.ts';
import { frozenCopy } from '../kit/frozen-copy.ts';
import { isPlainObject } from '../kit/json-schema.ts';
import { nearestName } from '../kit/nearest-name.ts';
import { isAsyncFunction } from '../kit/thenable.ts';
import type { AppOptions } from './app-state.ts';
import { checkPositiveInteger } from './declare-route.ts';

/** Simple options that may be shown, with their defaults (readings: safe defaults). */
const shownDefaults = {
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

/** Options that the ecosystem does not expect to see in `initialConfig` unless somebody set them. */
const shownWhenGiven = ['headersTimeout', 'return503OnClosing', 'allowErrorHandlerOverride'] as const;

const routerOnly = [
  'constraints',
  'querystringParser',
  'buildPrettyMeta',
  'defaultRoute',
  'onBadUrl',
  'onMaxParamLength',
] as const;

/** Options that are objects, functions or secrets, and are checked where they are used. */
const otherOptions = [
  'http',
  'https',
  'http2',
  'serverFactory',
  'forceCloseConnections',
  'logger',
  'loggerInstance',
  'logController',
  'childLoggerFactory',
  'genReqId',
  'trustProxy',
  'ajv',
  'serializerOpts',
  'schemaController',
  'schemaErrorFormatter',
  'frameworkErrors',
  'clientErrorHandler',
  'rewriteUrl',
  'routerOptions',
] as const;

const routerNames: readonly string[] = [...Object.keys(routerDefaults), ...routerOnly];
const knownNames: readonly string[] = [
  ...Object.keys(shownDefaults),
  ...otherOptions,
  ...routerNames.filter((name) => name !== 'compile'),
];

/** The options with everything filled in, as the layers above read them. */
export interface ResolvedOptions extends AppOptions {
  /** The options as given, copied. */
  readonly given: AmbitOptions;
  readonly router: RouterOptions;
  readonly connectionTimeout: number;
  readonly keepAliveTimeout: number;
  readonly headersTimeout: number;
  readonly requestTimeout: number;
  readonly maxRequestsPerSocket: number;
  readonly http2SessionTimeout: number;
  readonly return503OnClosing: boolean;
  /** What may be shown of the options, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
}

/** @throws An error of the catalogue that names the option and what it takes. */
export function resolveOptions(input: AmbitOptions | undefined): ResolvedOptions {
  if (input && typeof input !== 'object') throw new OptionsNotObject();
  const given: AmbitOptions = { ...input };
  checkNames(given, knownNames, 'the factory');
  if (given.routerOptions != null) checkNames(given.routerOptions, routerNames, 'routerOptions');
  checkFunctions(given);
  checkPositiveInteger(given.bodyLimit, BodyLimitInvalid);
  const shown = withDefaults(shownDefaults, given);
  checkTypes(shown, shownDefaults);
  const router = resolveRouter(given);
  warnDeprecated(given);
  const { requestIdHeader: header } = shown;
  const requestIdHeader = header === true ? 'request-id' : lowered(header);
  return {
    ...shown,
    given,
    router,
    ajv: resolveAjv(given.ajv),
    ignoreTrailingSlash: router.ignoreTrailingSlash ?? false,
    ignoreDuplicateSlashes: router.ignoreDuplicateSlashes ?? false,
    requestIdHeader,
    initialConfig: showConfig(given, { ...shown, requestIdHeader }, router),
  };
}

type Shown = { -readonly [Name in keyof typeof shownDefaults]: Widen<(typeof shownDefaults)[Name]> };
type Widen<T> = T extends number ? number : T extends boolean ? boolean | string : string;
type ResolvedShown = Omit<Shown, 'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride'> &
  Record<'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride', boolean>;

function withDefaults(defaults: typeof shownDefaults, given: AmbitOptions): ResolvedShown {
  const values = given as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, likeDefault(values[name] ?? value, value)]),
  ) as unknown as ResolvedShown;
}

/** Numbers often come from the environment, as text. */
function likeDefault(value: unknown, like: unknown): unknown {
  const isText = typeof like === 'number' && typeof value === 'string' && /^\d+$/.test(value);
  return isText ? Number(value) : value;
}

function lowered(header: string | boolean): string | false {
  return typeof header === 'string' && header !== '' ? header.toLowerCase() : false;
}

function checkNames(given: object, known: readonly string[], owner: string): void {
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && !known.includes(name))
      throw new UnknownOption(name, owner, nearestName(name, known));
  }
}

function checkFunctions({
  querystringParser,
  routerOptions,
  schemaController,
  schemaErrorFormatter,
}: AmbitOptions): void {
  for (const parser of [querystringParser, routerOptions?.querystringParser]) {
    if (parser && typeof parser !== 'function') throw new QuerystringParserNotFunction(typeof parser);
  }
  const bucket: unknown = schemaController?.bucket;
  if (bucket && typeof bucket !== 'function') throw new SchemaBucketNotFunction(typeof bucket);
  if (schemaErrorFormatter) checkFormatter(schemaErrorFormatter);
}

/** A formatter answers on the spot: one that returns a promise would hold up nothing but the error. */
export function checkFormatter(formatter: unknown): void {
  if (typeof formatter !== 'function') throw new SchemaErrorFormatterNotFunction(typeof formatter);
  if (isAsyncFunction(formatter)) throw new SchemaErrorFormatterNotFunction('AsyncFunction');
}

/** Simple options are of the type of their default; numbers are not negative. */
function checkTypes(shown: ResolvedShown, defaults: Readonly<Record<string, unknown>>): void {
  const mixed = new Set(['requestIdHeader', 'disableRequestLogging']);
  const poisoning = new Set(['error', 'remove', 'ignore']);
  for (const [name, value] of Object.entries(shown)) {
    const type = typeof defaults[name];
    if (!mixed.has(name) && typeof value !== type) {
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

function resolveRouter(given: AmbitOptions): RouterOptions {
  const values = given as Record<string, unknown>;
  const own = (given.routerOptions ?? {}) as Record<string, unknown>;
  const misplaced = routerNames.filter((name) => name !== 'compile' && Object.hasOwn(given, name));
  if (misplaced.length > 0) warnRouterOptions(misplaced.join(', '));
  const defaults = routerDefaults as Record<string, unknown>;
  const entries = routerNames.map((name) => [name, own[name] ?? values[name] ?? defaults[name]] as const);
  for (const [name, value] of entries) {
    const type = typeof defaults[name];
    if (name in defaults && typeof value !== type)
      throw new OptionsInvalid(`${name} must be ${type}, instead got ${value}`);
  }
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as RouterOptions;
}

function warnDeprecated({ disableRequestLogging, requestIdLogLabel }: AmbitOptions): void {
  if (disableRequestLogging !== undefined) warnRequestLoggingOption();
  if (requestIdLogLabel !== undefined) warnRequestIdLabelOption();
}

function resolveAjv(given: AjvOptions | undefined): AjvOptions {
  const { customOptions = {}, plugins = [], ...rest } = given ?? {};
  if (!isPlainObject(customOptions)) throw new AjvOptionsNotObject(typeof customOptions);
  if (!Array.isArray(plugins)) throw new AjvPluginsNotArray(typeof plugins);
  return { ...rest, customOptions, plugins };
}

/** Nothing that is a secret, and no key of a certificate above all, is shown. */
function showConfig(
  given: AmbitOptions,
  shown: ResolvedShown,
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
  const config: Record<string, unknown> = { ...shown, ...atTopLevel };
  for (const name of shownWhenGiven) if (given[name] === undefined) delete config[name];
  if (given.constraints !== undefined) config.constraints = given.constraints;
  if (given.routerOptions != null) config.routerOptions = { ...given.routerOptions, ...simple };
  if (given.forceCloseConnections !== undefined) config.forceCloseConnections = given.forceCloseConnections;
  if (given.http2 !== undefined) config.http2 = given.http2;
  if (given.https !== undefined) config.https = showHttps(given.https);
  return frozenCopy(config);
}

function showHttps(https: AmbitOptions['https']): unknown {
  if (typeof https !== 'object' || https === null) return https;
  const { allowHTTP1 } = https;
  return allowHTTP1 === undefined ? true : { allowHTTP1 };
}
