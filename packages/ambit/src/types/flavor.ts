/** Where `ambit` and the facade for Fastify 5 differ on purpose (there are no other switches), and the identity of a facade. */
import { version } from '../shared/version.ts';
import type { Context } from './context.ts';

/** How an application behaves where `ambit` and Fastify 5 differ. */
export interface Compatibility {
  /** The verb of default validation messages: `body should have …` or `body must have …`. */
  validationVerb: 'should' | 'must';
  /** The name of the query string in `error.validationContext`. The `dataVar` of schema error formatters is `querystring` in any case. */
  queryContext: 'query' | 'querystring';
  /** Which bodies a `body` schema without `content` applies to: JSON alone (others are answered with 415), or any that a parser accepts. */
  bodySchemaAppliesTo: 'json' | 'any';
  /** When `onRoute` hooks of a plugin begin to see routes of the context around it: with `register`, or once the plugin has loaded. */
  onRouteFrom: 'register' | 'load';
  /** When `ready` of a plugin's context settles: when the application is ready, as that of the root; or when all plugins have loaded. */
  readyInPlugin: 'boot' | 'load';
  /** Which child logger factory of its context a route has: the one at its declaration, or the one that it has taken with its other settings. */
  childLoggerFactoryFrom: 'declaration' | 'load';
  /**
   * Whose names and messages are used for errors and warnings that both have under the same code: `AmbitError` or `FastifyError`; and whose
   * default error replies. Those of Fastify contain the message of every error in production too, and thrown values that are no errors.
   */
  messages: 'ambit' | 'fastify';
  /**
   * Whether a declaration that Fastify accepts, but that is almost certainly a mistake, fails boot: a name that looks misspelled, a value of
   * the wrong type, a generator function as a hook. Otherwise it causes a warning at most, and what Fastify ignores is ignored.
   */
  checksDeclarations: boolean;
  /** Whether schemas may have the words of OpenAPI (`example`, `x-…`, `nullable` without a type) and unknown formats. Fastify: no. */
  openApiWords: 'known' | 'rejected';
}

/** Gives an error of the catalogue the name and message that the application uses, in place. Other values stay as they are. */
export type ErrorTranslator = <T>(error: T) => T;

/** The identity of an application, and its compatibility. A facade passes its own to `ambit()`. */
export interface Flavor {
  /** The first name in `pluginName`. */
  readonly name: string;
  /** The version that the application reports. */
  readonly version: string;
  /** The level of the ecosystem's API that plugin version ranges are checked against; by default the version. */
  readonly apiLevel?: string;
  /** How the application behaves where `ambit` and Fastify 5 differ. */
  readonly compatibility: Compatibility;
  /** Functions of the facade that are called in place of the framework's own. */
  readonly interceptors?: Interceptors;
  /** The URL of the facade's module: errors at boot name the file that called it. */
  readonly module?: string;
}

export const ambitFlavor: Flavor = {
  name: 'ambit',
  version,
  apiLevel: '5.12.8',
  compatibility: {
    validationVerb: 'should',
    queryContext: 'query',
    bodySchemaAppliesTo: 'json',
    onRouteFrom: 'register',
    readyInPlugin: 'boot',
    childLoggerFactoryFrom: 'load',
    messages: 'ambit',
    checksDeclarations: true,
    openApiWords: 'known',
  },
};

/**
 * Functions of a facade that are called in place of the framework's own. A facade has them in files of its own because monitoring agents
 * look for them there: some agents patch functions of Fastify by name and file, to wrap their arguments; others take the version of Fastify
 * from the package of the file that publishes.
 */
export interface Interceptors {
  /** Publishes a new application on the diagnostics channel `fastify.initialization`. @param application The root context. */
  publish(application: Context): void;
  /**
   * Returns the hook to add in place of one.
   * @param name Its name.
   * @param hook The function.
   */
  addHook<Hook>(name: string, hook: Hook): Hook;
  /**
   * Returns the value to decorate a context with.
   * @param name Its name.
   * @param value Its value.
   */
  decorate(name: string | symbol, value: unknown): unknown;
}
