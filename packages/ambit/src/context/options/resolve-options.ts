/** Checks the options of the factory and fills in the defaults of the specification. */

import type { ArtifactModule } from '../../schemas/artifact/artifact.ts';
import { lazyModule, require } from '../../shared/lazy-module.ts';
import {
  BodyLimitInvalid,
  OptionsInvalid,
  OptionsNotObject,
  QuerystringParserNotFunction,
} from '../../types/errors.ts';
import type { OverloadSettings } from '../../types/feature-options.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { AmbitOptions, RouterOptions, ServerSettings } from '../../types/options.ts';
import { warnRequestIdLabelOption, warnRequestLoggingOption } from '../../types/warnings.ts';
import type { AppOptions } from '../app-state.ts';
import { type HealthPaths, resolveHealth } from '../health/check-health-options.ts';
import { checkMultipart } from './check-multipart-options.ts';
import { checkNames, checkPositiveInteger, checkTypes } from './check-options.ts';
import {
  checkFormatter,
  checkSerializerOptions,
  readSchemaController,
  resolveAjv,
} from './check-schema-options.ts';
import { makeInitialConfig } from './initial-config.ts';
import { knownNames, otherTypes, ownTypes } from './known-options.ts';
import { resolvePublicOptions } from './public-options.ts';
import { resolveRouterOptions, routerNames, routerTypes } from './resolve-router-options.ts';

const loadArtifact = lazyModule<typeof import('../../schemas/artifact/artifact.ts')>(() =>
  require('../../schemas/artifact/artifact.ts'),
);
const loadOverload = lazyModule<typeof import('./check-overload-options.ts')>(() =>
  require('./check-overload-options.ts'),
);

/** The options with all defaults filled in, as the layers above read them. */
export interface ResolvedOptions extends AppOptions, ServerSettings {
  readonly router: RouterOptions;
  readonly return503OnClosing: boolean;
  readonly reportSerialization: boolean;
  /** Whether `NODE_ENV` is `production`. */
  readonly isProduction: boolean;
  readonly compiled: ArtifactModule | undefined;
  /** The paths of probes; `undefined` if the application has no health routes. */
  readonly health: HealthPaths | undefined;
  /** `false` without overload protection. */
  readonly overload: OverloadSettings | false;
  /** The options that contain no secrets, with their defaults, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;
}

/** @throws An error of the catalogue that names the option and what it takes. */
export function resolveOptions(
  input: AmbitOptions | undefined,
  compatibility: Compatibility,
): ResolvedOptions {
  const { messages } = compatibility;
  if (input && typeof input !== 'object') throw new OptionsNotObject();
  const userOptions: AmbitOptions = { ...input };
  checkNames(userOptions, knownNames, 'the factory', compatibility);
  checkTypes(userOptions, ownTypes, OptionsInvalid);
  checkTypes(userOptions, { ...otherTypes, ...routerTypes }, OptionsInvalid, compatibility);
  removeUnsetOptions(userOptions);
  if (userOptions.routerOptions != null) {
    userOptions.routerOptions = { ...userOptions.routerOptions };
    checkNames(userOptions.routerOptions, routerNames, 'routerOptions', compatibility);
    checkTypes(userOptions.routerOptions, routerTypes, OptionsInvalid, compatibility);
  }
  checkOptionsWithOwnErrors(userOptions, compatibility);
  checkPositiveInteger(userOptions.bodyLimit, BodyLimitInvalid);
  checkMultipart(userOptions.multipart, OptionsInvalid);
  const publicOptions = resolvePublicOptions(userOptions, otherTypes, compatibility);
  const router = resolveRouterOptions(userOptions, compatibility);
  warnDeprecated(userOptions, messages);
  const { requestIdHeader: header } = publicOptions;
  const requestIdHeader = header === true ? 'request-id' : toLowerCaseName(header);
  return {
    ...publicOptions,
    userOptions,
    router,
    multipart: userOptions.multipart,
    ajv: resolveAjv(userOptions, OptionsInvalid, compatibility),
    isProduction: process.env.NODE_ENV === 'production',
    reportSerialization: userOptions.reportSerialization ?? process.env.NODE_ENV === 'development',
    compiled: userOptions.compiled ? resolveCompiled(userOptions.compiled) : undefined,
    overload: resolveOverload(userOptions.overload ?? false),
    health: userOptions.health ? resolveHealth(userOptions.health) : undefined,
    hasOwnServer: userOptions.serverFactory !== undefined,
    ignoreTrailingSlash: router.ignoreTrailingSlash ?? false,
    ignoreDuplicateSlashes: router.ignoreDuplicateSlashes ?? false,
    requestIdHeader,
    logsTraceContext: userOptions.logTraceContext === true,
    initialConfig: makeInitialConfig(userOptions, { ...publicOptions, requestIdHeader }, router),
  };
}

function resolveCompiled(compiledModule: object): ArtifactModule {
  const compiled = loadArtifact().readArtifact(compiledModule);
  if (compiled !== undefined) return compiled;
  throw new OptionsInvalid('compiled must be the module that compileSchemas wrote');
}

function resolveOverload(overload: AmbitOptions['overload'] & {}): OverloadSettings | false {
  return overload === false ? false : loadOverload().resolveOverload(overload, OptionsInvalid);
}

function toLowerCaseName(header: string | boolean): string | false {
  return typeof header === 'string' && header !== '' ? header.toLowerCase() : false;
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
  checkSerializerOptions(userOptions, OptionsInvalid, compatibility);
  if (schemaErrorFormatter) checkFormatter(schemaErrorFormatter);
}

function warnDeprecated(
  { disableRequestLogging, requestIdLogLabel }: AmbitOptions,
  messages: Compatibility['messages'],
): void {
  if (disableRequestLogging !== undefined) warnRequestLoggingOption(messages);
  if (requestIdLogLabel !== undefined) warnRequestIdLabelOption(messages);
}
