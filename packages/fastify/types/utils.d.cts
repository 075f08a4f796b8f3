/** The names of methods, headers and statuses, and the raw objects that belong to each kind of server. */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';

/** Offers the literals of `T` for completion, and takes any other value of their kind. */
export type Autocomplete<T> =
  | T
  | ((T extends string ? string : T extends number ? number : T extends boolean ? boolean : never) &
      Record<never, never>);

type KnownMethod =
  | 'DELETE'
  | 'GET'
  | 'HEAD'
  | 'PATCH'
  | 'POST'
  | 'PUT'
  | 'OPTIONS'
  | 'QUERY'
  | 'TRACE'
  | 'SEARCH'
  | 'REPORT'
  | 'COPY'
  | 'MOVE'
  | 'LOCK'
  | 'UNLOCK'
  | 'MKCOL'
  | 'MKCALENDAR'
  | 'PROPFIND'
  | 'PROPPATCH';

/** A method's name, in either case. Further ones come by `addHttpMethod`. */
export type HTTPMethods = Autocomplete<KnownMethod | Lowercase<KnownMethod>>;

/** Every server that an application can stand on. */
export type RawServerBase = http.Server | https.Server | http2.Http2Server | http2.Http2SecureServer;
/** The server of an application whose options name none. */
export type RawServerDefault = http.Server;

/** The request object that a kind of server makes. */
export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends http.Server | https.Server
    ? http.IncomingMessage
    : RawServer extends http2.Http2Server | http2.Http2SecureServer
      ? http2.Http2ServerRequest
      : never;

/** The response object that a kind of server makes. */
export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> = RawServer extends
  | http.Server
  | https.Server
  ? http.ServerResponse
  : RawServer extends http2.Http2Server | http2.Http2SecureServer
    ? http2.Http2ServerResponse
    : never;

/** The body of a request, if nothing says more. */
export type RequestBodyDefault = unknown;
/** The query string of a request, if nothing says more. */
export type RequestQuerystringDefault = unknown;
/** The parameters of a request, if nothing says more. */
export type RequestParamsDefault = unknown;
/** The headers of a request, if nothing says more. */
export type RequestHeadersDefault = unknown;
export type ReplyDefault = unknown;
/** The option `config` of a route, if nothing says more. */
export type ContextConfigDefault = unknown;

type StatusClass = 1 | 2 | 3 | 4 | 5;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ToNumber<Text extends string> = Text extends `${infer Value extends number}` ? Value : never;
type StatusCode = ToNumber<`${StatusClass}${Digit}${Digit}`>;

/** The keys under which a route's `Reply` type lists its payloads: statuses and `2xx`. */
export type HttpKeys = StatusCode | `${Digit}xx`;
export type StatusCodeReply = { [Key in HttpKeys]?: unknown };

/** The statuses that a key of a `Reply` type stands for; any number where there is none. */
export type ReplyKeysToCodes<Key> = [Key] extends [never]
  ? number
  : Key extends StatusCode
    ? Key
    : Key extends `${infer Class extends StatusClass}xx`
      ? ToNumber<`${Class}${Digit}${Digit}`>
      : number;

/** The class that a status belongs to, as a key: 404 gives `4xx`. */
export type CodeToReplyKey<Code extends number> =
  `${Code}` extends `${infer Class extends StatusClass}${number}` ? `${Class}xx` : never;

/** Header names arrive in lower case, however a route's `Headers` type spells them. */
export type RecordKeysToLowercase<Input> =
  Input extends Record<string, unknown>
    ? { [Key in keyof Input as Key extends string ? Lowercase<Key> : Key]: Input[Key] }
    : Input;

type WithoutIndex<T> = {
  [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: T[Key];
};

/** A header's name: the known ones for completion, and any other. */
export type HttpHeader = keyof WithoutIndex<http.OutgoingHttpHeaders> | (string & Record<never, never>);
