/** Problem details (RFC 9457): the format of errors that applications choose with `errors: 'problem'`, and errors with a type of their own. */
import { isProblemType, reservedMembers } from '../shared/early-error.ts';
import { OptionInvalid } from './errors.ts';

/** The format of the framework's own error replies: `json` (`statusCode`, `code`, `error`, `message`), or `problem` (RFC 9457). */
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

/** What all errors of one problem type have in common. */
export interface ProblemDefinition {
  /** The type: a URI reference, such as `https://example.com/problems/out-of-credit`. It should lead to a description for people. */
  type: string;
  /** A short description of this type of problem. It is the same for every occurrence. */
  title: string;
  /** The status of the response: an integer from 400 to 599. */
  status: number;
}

/** The extension members of a problem type: any names, except those that the framework writes itself. */
export type ProblemMembers = { [member: string]: unknown } & {
  [Reserved in (typeof reservedMembers)[number]]?: never;
};

/** An error that has a problem type of its own. */
export interface ProblemError<Members = unknown> extends Error {
  /** The status of the response. */
  readonly statusCode: number;
  /** The detail of such an error is sent to clients, whatever the status is, in production too. */
  readonly expose: true;
  /** The members that the error adds to the response. */
  readonly problem: { readonly type: string; readonly title: string } & Members;
}

/** A class of errors that have a problem type of their own. */
export interface ProblemClass<Members> extends ProblemDefinition {
  /**
   * Creates an error.
   * @param args `detail`: what happened this time, for the client. It is also the `message` of the error. `members`: the extension members
   *   of this occurrence. `options`: the `cause`, which is not sent.
   * @throws {AMBIT_ERR_OPTION_INVALID} for a member whose name is reserved.
   */
  new (
    ...args: Record<never, never> extends Members
      ? [detail: string, members?: Members, options?: { cause?: unknown }]
      : [detail: string, members: Members, options?: { cause?: unknown }]
  ): ProblemError<Members>;
  /** For `instanceof`. */
  readonly prototype: ProblemError<Members>;
}

/**
 * Creates a class of errors that have a problem type of their own. In a context with `errors: 'problem'`, the reply to such an error has
 * its type, its title, its message as `detail`, and its extension members. In other contexts, it is answered like any error with its
 * status.
 * @param definition The type, the title and the status.
 * @returns The class.
 * @throws {AMBIT_ERR_OPTION_INVALID} if the type is not a URI reference, the title is not a string, or the status is not from 400 to 599.
 */
export function defineProblem<Members extends ProblemMembers = ProblemMembers>({
  type,
  title,
  status,
}: ProblemDefinition): ProblemClass<Members> {
  checkDefinition({ type, title, status });
  return class extends Error {
    static readonly type = type;
    static readonly title = title;
    static readonly status = status;
    readonly statusCode = status;
    readonly expose = true;
    readonly problem: object;

    constructor(detail: string, members: object = {}, options?: { cause?: unknown }) {
      super(detail, options);
      this.name = 'ProblemError';
      for (const name of reservedMembers) {
        if (Object.hasOwn(members, name)) throw invalid(`the member '${name}' is reserved`);
      }
      this.problem = { type, title, ...members };
    }
  } as unknown as ProblemClass<Members>;
}

function checkDefinition({ type, title, status }: ProblemDefinition): void {
  if (!isProblemType(type)) throw invalid(`type must be a URI reference, instead got ${describeValue(type)}`);
  if (typeof title !== 'string' || title === '')
    throw invalid(`title must be a text, instead got ${describeValue(title)}`);
  if (!Number.isInteger(status) || status < 400 || status > 599)
    throw invalid(`status must be an integer from 400 to 599, instead got ${describeValue(status)}`);
}

function describeValue(value: unknown): string {
  return JSON.stringify(value) ?? typeof value;
}

function invalid(problem: string): Error {
  return new OptionInvalid('defineProblem', problem);
}
