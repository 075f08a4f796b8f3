/** The type of JSON Schemas as applications write them. */

/** A JSON Schema object. Its keywords are data to us; the engines give them meaning. */
export type JsonSchema = { readonly [keyword: string]: unknown };
