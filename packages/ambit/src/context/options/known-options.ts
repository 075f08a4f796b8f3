/** Lists the options of the factory: all names, and the types of the options that have no simple default. */
import { functionOrFalse, type OptionTypes, objectOrFalse } from './check-options.ts';
import { publicDefaults } from './public-options.ts';
import { routerNames } from './resolve-router-options.ts';

/** Those that Fastify does not have: nobody sets them by accident, so they are checked on the facade, too. */
export const ownTypes: OptionTypes = {
  engine: ["'node'"],
  compile: ["'boot'", "'first-use'", "'background'"],
  compiled: objectOrFalse,
  health: ['object', 'boolean'],
  overload: ['object', 'boolean'],
  multipart: ['object'],
  errors: ["'json'", "'problem'"],
  responses: ["'declared'", "'any'"],
  reportSerialization: ['boolean'],
  logTraceContext: ['boolean'],
};

/** Options that are objects or functions. */
export const otherTypes: OptionTypes = {
  ...ownTypes,
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

/** Options that are checked where they are used. */
const checkedElsewhere = [
  'logger',
  'loggerInstance',
  'logController',
  'trustProxy',
  'schemaErrorFormatter',
] as const;

export const knownNames: readonly string[] = [
  ...Object.keys(publicDefaults),
  ...Object.keys(otherTypes),
  ...checkedElsewhere,
  ...routerNames.filter((name) => name !== 'compile'),
];
