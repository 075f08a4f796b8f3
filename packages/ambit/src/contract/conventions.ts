/** The habits in which `ambit` follows its own rule and the facade follows Fastify 5. No more switches. */
import { inEcosystemWords } from '../shared/define-error.ts';

export interface Conventions {
  /** The verb of default validation messages: `body should have …` or `body must have …`. */
  validationVerb: 'should' | 'must';
  /** What `error.validationContext` calls the query string. The formatter's `dataVar` stays `querystring`. */
  queryContext: 'query' | 'querystring';
  /**
   * Which bodies a `body` schema without `content` covers: `json` types only, so that a body of any other type is
   * answered 415, or whatever a parser yields.
   */
  bodySchemaCovers: 'json' | 'parsed';
  /**
   * From when on the `onRoute` hooks of a plugin see the routes around it: from its `register` on, so that a chain may go on with the
   * routes, or once it has loaded.
   */
  onRouteFrom: 'register' | 'load';
  /** Whose name and words errors and warnings have that both know, under the same codes: `AmbitError` or `FastifyError`. */
  words: 'ambit' | 'fastify';
  /**
   * Whether a name that looks misspelt fails the boot or is warned of, in the places where Fastify takes any name: a route's schema,
   * and the options of `register` and of `logger`.
   */
  misspelling: 'refused' | 'warned';
}

/** Words an error of the catalogue as an application does, in place; anything else stays as it is. */
export type WordError = <T>(error: T) => T;

export function wordErrorFor({ words }: Conventions): WordError {
  return words === 'fastify' ? inEcosystemWords : (error) => error;
}

export const specConventions: Conventions = {
  validationVerb: 'should',
  queryContext: 'query',
  bodySchemaCovers: 'json',
  onRouteFrom: 'register',
  words: 'ambit',
  misspelling: 'refused',
};
