/** Lists the options of the factory: all names, and the types of the options that have no simple default. */
import { functionOrFalse, type OptionTypes, objectOrFalse } from './check-options.ts';
import { publicDefaults } from './public-options.ts';
import { routerNames } from './resolve-router-options.ts';

/** Options that are objects or functions. */
export const otherTypes: OptionTypes = {
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
  responses: ["'declared'", "'any'"],
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

export const knownNames: readonly string[] = [
  ...Object.keys(publicDefaults),
  ...Object.keys(otherTypes),
  ...checkedElsewhere,
  ...routerNames.filter((name) => name !== 'compile'),
];
