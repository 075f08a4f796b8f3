/**
 * Declares the flavor of `ambit` for applications and plugins that are written for Fastify 5. It contains no logic: at run time, all
 * objects are those of `ambit`. Their types for Fastify are declared in entry.d.cts.
 */
import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import {
  type AmbitOptions,
  ambit,
  type Compatibility,
  type Context,
  errors,
  type Flavor,
  type Interceptors,
  LogController,
} from 'ambit';

const require = createRequire(import.meta.url);

const compatibility: Compatibility = {
  validationVerb: 'must',
  queryContext: 'querystring',
  bodySchemaAppliesTo: 'any',
  onRouteFrom: 'load',
  readyInPlugin: 'load',
  childLoggerFactoryFrom: 'declaration',
  messages: 'fastify',
  checksDeclarations: false,
  openApiWords: 'rejected',
};

/** Fastify's defaults that differ from Ambit's. */
const defaults: AmbitOptions = { requestTimeout: 0, reportSerialization: false };

const initialized = channel('fastify.initialization');

/** The files in `lib` have the paths of Fastify's files that agents patch. Each is loaded at its first use. */
const interceptors: Interceptors = {
  publish: (application) => {
    if (initialized.hasSubscribers === true) initialized.publish({ fastify: application });
  },
  addHook: (name, hook) => (require('../lib/hooks.js') as Pick<Interceptors, 'addHook'>).addHook(name, hook),
  decorate: (name, value) =>
    (require('../lib/decorate.js') as Pick<Interceptors, 'decorate'>).decorate(name, value),
};

const flavor: Flavor = {
  name: 'fastify',
  version: '5.12.8',
  compatibility,
  interceptors,
  module: import.meta.url,
};

/** Creates an application with the defaults of Fastify 5. */
export function fastify(options?: AmbitOptions): Context {
  const allOptions = typeof options === 'object' ? { ...defaults, ...options } : options;
  return ambit(allOptions ?? defaults, flavor);
}

/** The error catalogue by code. */
export const errorCodes: Readonly<Record<string, (typeof errors)[keyof typeof errors]>> = Object.fromEntries(
  Object.values(errors)
    .filter(({ code }) => code.startsWith('FST_'))
    .map(({ code, ecosystem }) => [code, ecosystem]),
);

export declare namespace fastify {
  export { errorCodes, fastify, fastify as default, LogController };
}
Object.assign(fastify, { fastify, default: fastify, errorCodes, LogController });

export { LogController };
export default fastify;
// `require('fastify')` returns the factory itself.
export { fastify as 'module.exports' };
