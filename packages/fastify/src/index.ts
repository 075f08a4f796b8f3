/**
 * The flavor that `ambit` shows to applications and plugins written for Fastify 5. It holds no logic. What TypeScript sees of it
 * is declared in entry.d.cts: at run time these are the objects of `ambit`.
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
  messages: 'fastify',
  misspelledNames: 'warning',
};

/** Where Fastify's own defaults are others than ours. */
const defaults: AmbitOptions = { requestTimeout: 0, reportSerialization: false };

const initialized = channel('fastify.initialization');

/** The files in `lib` are those of Fastify that agents patch. They are loaded when there is something to pass. */
const interceptors: Interceptors = {
  publish: (application) => {
    if (initialized.hasSubscribers) initialized.publish({ fastify: application });
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

/** Makes an application with the defaults of Fastify 5. `skipMiddie` is of NestJS's adapter, which hands on all it was given. */
export function fastify(options?: AmbitOptions): Context {
  const given =
    options && typeof options === 'object'
      ? { ...defaults, ...options, skipMiddie: undefined }
      : (options ?? defaults);
  return ambit(given, flavor);
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
// `require('fastify')` gives the factory itself.
export { fastify as 'module.exports' };
