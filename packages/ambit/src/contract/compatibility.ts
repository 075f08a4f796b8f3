/** Where `ambit` and the facade for Fastify 5 behave differently on purpose. There are no other switches. */
import { toEcosystemError } from '../shared/define-error.ts';

/** How an application behaves where `ambit` and Fastify 5 differ. */
export interface Compatibility {
  /** The verb of default validation messages: `body should have …` or `body must have …`. */
  validationVerb: 'should' | 'must';
  /** The name of the query string in `error.validationContext`. The `dataVar` of schema error formatters is `querystring` in any case. */
  queryContext: 'query' | 'querystring';
  /**
   * Which bodies a `body` schema without `content` applies to: JSON alone, so that a body of any other media type is answered 415; or any
   * body that a parser accepts.
   */
  bodySchemaAppliesTo: 'json' | 'any';
  /**
   * From when on the `onRoute` hooks of a plugin see the routes around it: from the call of `register`, so that routes may follow it in a
   * chain; or once the plugin has loaded.
   */
  onRouteFrom: 'register' | 'load';
  /** Whose names and messages errors and warnings have that both know, under the same codes: `AmbitError` or `FastifyError`. */
  messages: 'ambit' | 'fastify';
  /**
   * Whether a name that looks misspelled fails boot or gives a warning, in the places where Fastify accepts any name: a route's schema, and
   * the options of `register` and of `logger`. `ambit` also refuses strings of the format `binary` where there can be no file.
   */
  misspelledNames: 'error' | 'warning';
}

/** Gives an error of the catalogue the name and message that the application uses. It changes the error in place, and no other value. */
export type ErrorTranslator = <T>(error: T) => T;

/** @returns What translates errors for an application. */
export function errorTranslatorFor({ messages }: Compatibility): ErrorTranslator {
  return messages === 'fastify' ? toEcosystemError : (error) => error;
}

export const ambitCompatibility: Compatibility = {
  validationVerb: 'should',
  queryContext: 'query',
  bodySchemaAppliesTo: 'json',
  onRouteFrom: 'register',
  messages: 'ambit',
  misspelledNames: 'error',
};
