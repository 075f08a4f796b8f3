/** The three habits in which `ambit` follows its specification and the facade follows Fastify 5. No more switches. */

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
}

export const specConventions: Conventions = {
  validationVerb: 'should',
  queryContext: 'query',
  bodySchemaCovers: 'json',
};
