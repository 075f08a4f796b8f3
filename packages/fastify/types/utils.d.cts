/** The names of methods, headers and statuses, and the raw objects of each kind of server. */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';

/** Suggests the literals of `T` in editors, and accepts any other value of the same type. */
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

/** The name of a method, in upper or lower case. `addHttpMethod` adds further methods. */
export type HTTPMethods = Autocomplete<KnownMethod | Lowercase<KnownMethod>>;

/** All kinds of servers of an application. */
export type RawServerBase = http.Server | https.Server | http2.Http2Server | http2.Http2SecureServer;
/** The default server of an application. */
export type RawServerDefault = http.Server;

/** The request object of a kind of server. */
export type RawRequestDefaultExpression<RawServer extends RawServerBase = RawServerDefault> =
  RawServer extends http.Server | https.Server
    ? http.IncomingMessage
    : RawServer extends http2.Http2Server | http2.Http2SecureServer
      ? http2.Http2ServerRequest
      : never;

/** The response object of a kind of server. */
export type RawReplyDefaultExpression<RawServer extends RawServerBase = RawServerDefault> = RawServer extends
  | http.Server
  | https.Server
  ? http.ServerResponse
  : RawServer extends http2.Http2Server | http2.Http2SecureServer
    ? http2.Http2ServerResponse
    : never;

/** The body of a request, if no type is declared. */
export type RequestBodyDefault = unknown;
/** The query string of a request, if no type is declared. */
export type RequestQuerystringDefault = unknown;
/** The parameters of a request, if no type is declared. */
export type RequestParamsDefault = unknown;
/** The headers of a request, if no type is declared. */
export type RequestHeadersDefault = unknown;
export type ReplyDefault = unknown;
/** The option `config` of a route, if no type is declared. */
export type ContextConfigDefault = unknown;

type StatusClass = 1 | 2 | 3 | 4 | 5;
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ToNumber<Text extends string> = Text extends `${infer Value extends number}` ? Value : never;
type StatusCode = ToNumber<`${StatusClass}${Digit}${Digit}`>;

/** The keys under which a route's `Reply` type lists its payloads: statuses and `2xx`. */
export type HttpKeys = StatusCode | `${Digit}xx`;
export type StatusCodeReply = { [Key in HttpKeys]?: unknown };

/** The statuses of a key of a `Reply` type; any number if there is no key. */
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

/** Header names in lower case, however a route's `Headers` type writes them. */
export type RecordKeysToLowercase<Input> =
  Input extends Record<string, unknown>
    ? { [Key in keyof Input as Key extends string ? Lowercase<Key> : Key]: Input[Key] }
    : Input;

type WithoutIndex<T> = {
  [Key in keyof T as string extends Key ? never : number extends Key ? never : Key]: T[Key];
};

/** The name of a header: editors suggest standard names, and any other name is accepted. */
export type HttpHeader = keyof WithoutIndex<http.OutgoingHttpHeaders> | (string & Record<never, never>);
