/** Where `ambit` and the facade for Fastify 5 behave differently on purpose. There are no other switches. */
import { toEcosystemError } from '../shared/define-error.ts';

/** How an application behaves where `ambit` and Fastify 5 differ. */
export interface Compatibility {
  /** The verb of default validation messages: `body should have …` or `body must have …`. */
  validationVerb: 'should' | 'must';
  /** The name of the query string in `error.validationContext`. The `dataVar` of schema error formatters is `querystring` in any case. */
  queryContext: 'query' | 'querystring';
  /**
   * Which bodies a `body` schema without `content` applies to: JSON alone, so that a body of any other media type is answered with 415; or
   * any body that a parser accepts.
   */
  bodySchemaAppliesTo: 'json' | 'any';
  /**
   * When the `onRoute` hooks of a plugin begin to see the routes of the context around it: with the call of `register`, so that routes may
   * follow the call in a chain; or once the plugin has loaded.
   */
  onRouteFrom: 'register' | 'load';
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
  /**
   * Whether request schemas may contain the words of OpenAPI that JSON Schema does not have (`example`, `discriminator`, `x-…`, `nullable`
   * without a type) and formats that Ajv does not know. Fastify rejects them.
   */
  openApiWords: 'known' | 'rejected';
}

/**
 * Gives an error of the catalogue the name and message that the application uses. It changes the error in place; other values stay as they
 * are.
 */
export type ErrorTranslator = <T>(error: T) => T;

/** @returns The translator for an application with this compatibility. */
export function errorTranslatorFor({ messages }: Compatibility): ErrorTranslator {
  return messages === 'fastify' ? toEcosystemError : (error) => error;
}

export const ambitCompatibility: Compatibility = {
  validationVerb: 'should',
  queryContext: 'query',
  bodySchemaAppliesTo: 'json',
  onRouteFrom: 'register',
  childLoggerFactoryFrom: 'load',
  messages: 'ambit',
  checksDeclarations: true,
  openApiWords: 'known',
};
