/**
 * Problem details (RFC 9457): the format of errors that applications choose with `errors: 'problem'`. Apart from `define-problem.ts`, because
 * the client imports these types, and must not reach the code of the server.
 */

/**
 * The format of the error replies that the framework itself sends: `json`, with `statusCode`, `code`, `error` and `message`; or `problem`,
 * as problem details (`application/problem+json`, RFC 9457).
 */
export type ErrorFormat = 'json' | 'problem';

/** One thing that is wrong with a request, as an entry of `errors` in problem details (RFC 9457, 3). */
export interface ProblemItem {
  /** What is wrong, without its location. */
  detail: string;
  /** Where it is, as a JSON Pointer in the form of a URI fragment (RFC 6901, 6): `#/items/0/price`. The pointer begins at the part. */
  pointer?: string;
  /** The part of the request that the pointer points into. */
  part?: 'body' | 'query' | 'params' | 'headers';
}

/** The body of an error that is answered as problem details (RFC 9457, 3.1). Other members are extensions of the problem's type. */
export interface ProblemDetails {
  /** Identifies the type of the problem: a URI reference. `about:blank` means that the problem is only described by its status. */
  type: string;
  /** A short description of this type of problem. With `about:blank`, the reason phrase of the status. */
  title?: string;
  /** The status of the response. */
  status: number;
  /** What happened this time. Absent where it is not meant for clients. */
  detail?: string;
  /** Identifies this occurrence: a URI reference made of the request's id. */
  instance?: string;
  /** The permanent code of the error, if it has one. */
  code?: string;
  /** Everything that is wrong with the request, one entry for each problem. */
  errors?: ProblemItem[];
  /** Extension members of the problem's type. */
  [member: string]: unknown;
}
