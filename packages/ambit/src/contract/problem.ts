/** Problem details (RFC 9457): the format of errors that applications choose with `errors: 'problem'`. */

/**
 * How the framework writes the errors that it answers itself: `json`, with `statusCode`, `code`, `error` and `message`; or `problem`, as
 * problem details (`application/problem+json`, RFC 9457).
 */
export type ErrorFormat = 'json' | 'problem';

/** One thing that is wrong with a request, as an entry of `errors` in problem details (RFC 9457, 3). */
export interface ProblemItem {
  /** What is wrong, without the place. */
  detail: string;
  /** Where, as a JSON Pointer in the form of a URI fragment (RFC 6901, 6): `#/items/0/price`. Its root is the part. */
  pointer?: string;
  /** The part of the request that the pointer points into. */
  part?: 'body' | 'query' | 'params' | 'headers';
}

/** The body of an error that is answered as problem details (RFC 9457, 3.1). Other members are extensions of the problem's type. */
export interface ProblemDetails {
  /** Identifies the type of the problem: a URI reference. `about:blank` says no more than the status does. */
  type: string;
  /** What this type of problem is, in a few words. With `about:blank`, the phrase of the status. */
  title?: string;
  /** The status of the response. */
  status: number;
  /** What happened this time. Absent where it is not meant for clients. */
  detail?: string;
  /** Identifies this occurrence: a URI reference made of the request's id. */
  instance?: string;
  /** The permanent code of the error, if it has one. */
  code?: string;
  /** What is wrong with the request, one by one. */
  errors?: ProblemItem[];
  /** Extension members of the problem's type. */
  [member: string]: unknown;
}
