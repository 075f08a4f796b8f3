/** The content type parsers: functions that parse bodies. */
import type { FastifyRequest } from './request.cjs';
import type { RouteGenericInterface } from './route.cjs';
import type { FastifySchema } from './schema.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.cjs';
import type { RawRequestDefaultExpression, RawServerBase, RawServerDefault } from './utils.cjs';

// biome-ignore-start lint/suspicious/noExplicitAny: a parser's result has any type; the route's schema checks it.
type ContentTypeParserDoneFunction = (err: Error | null, body?: any) => void;

/** Reads a body that was collected as text or as bytes. */
export type FastifyBodyParser<
  RawBody extends string | Buffer,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
      done: ContentTypeParserDoneFunction,
    ) => void)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      rawBody: RawBody,
    ) => Promise<any>);

/** Reads a body from the raw request. */
export type FastifyContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> =
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
    ) => Promise<any>)
  | ((
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      payload: RawRequest,
      done: ContentTypeParserDoneFunction,
    ) => void);
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** A media type, or a pattern of media types; `*` matches everything that no other parser matches. */
type MediaTypes = string | string[] | RegExp;

/** Adds a content type parser. */
export interface AddContentTypeParser<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  /**
   * Adds a parser for bodies to this context and to its children.
   *
   * @param contentType A media type, a pattern, an array of media types, or `*` for every body that no other parser matches.
   * @param opts Without `parseAs`, no option applies: the parser must limit the size itself.
   * @param parser Gets the request and the stream. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  (
    contentType: MediaTypes,
    opts: { bodyLimit?: number },
    parser: FastifyContentTypeParser<RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider>,
  ): void;
  /**
   * Adds a parser for bodies to this context and to its children.
   *
   * @param contentType A media type, a pattern, an array of media types, or `*` for every body that no other parser matches.
   * @param parser Gets the request and the stream. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  (
    contentType: MediaTypes,
    parser: FastifyContentTypeParser<RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider>,
  ): void;
  /**
   * Adds a parser for bodies to this context and to its children.
   *
   * @param contentType A media type, a pattern, an array of media types, or `*` for every body that no other parser matches.
   * @param opts `parseAs`: whether the body is collected as text or as a Buffer. `bodyLimit`: the largest body in bytes.
   * @param parser Gets the request and the collected body. It returns a promise of the value, or calls `done`.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   */
  <parseAs extends string | Buffer>(
    contentType: MediaTypes,
    opts: { parseAs: parseAs extends Buffer ? 'buffer' : 'string'; bodyLimit?: number },
    parser: FastifyBodyParser<parseAs, RawServer, RawRequest, RouteGeneric, SchemaCompiler, TypeProvider>,
  ): void;
}

/** Returns whether a context has a parser for a media type. */
export type hasContentTypeParser = (contentType: string | RegExp) => boolean;
export type removeContentTypeParser = (contentType: string | RegExp | (string | RegExp)[]) => void;
export type removeAllContentTypeParsers = () => void;

/** What to do about a `__proto__` key in a JSON body. */
export type ProtoAction = 'error' | 'remove' | 'ignore';
/** What to do about a `constructor.prototype` in a JSON body. */
export type ConstructorAction = 'error' | 'remove' | 'ignore';

/** Creates a parser like the default parser for JSON. */
export type getDefaultJsonParser = (
  onProtoPoisoning: ProtoAction,
  onConstructorPoisoning: ConstructorAction,
) => FastifyBodyParser<string>;
