/** How the types of a route's schemas become the types of its request and reply. */
import type { RouteGenericInterface } from './route.cjs';
import type { FastifySchema } from './schema.cjs';
import type { HttpKeys, RecordKeysToLowercase } from './utils.cjs';

/** Maps the type of a schema to the type of its valid values. `schema` is the input; `validator` and `serializer` are the results. */
export interface FastifyTypeProvider {
  /** The schema to compile. */
  readonly schema: unknown;
  /** The type of a validated value, by `this['schema']`. */
  readonly validator: unknown;
  /** The type of a value to serialize, by `this['schema']`. */
  readonly serializer: unknown;
}

/** The default provider: schemas have no effect on types. */
export interface FastifyTypeProviderDefault extends FastifyTypeProvider {}

/** The type of a validated part of a request. */
export type CallValidatorTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema;
})['validator'];

/** The type of a payload that the schema can serialize. */
export type CallSerializerTypeProvider<Provider extends FastifyTypeProvider, Schema> = (Provider & {
  schema: Schema;
})['serializer'];

// The tuple keeps a union such as `null | undefined` together.
type UndefinedToUnknown<T> = [T] extends [undefined] ? unknown : T;

// `keyof` a union gives the common keys only.
type KeysOfEach<T> = T extends unknown ? keyof T : never;

/** The type that the route declares for a part, or the type that the provider derives from the schema. */
type ResolvePart<Provider extends FastifyTypeProvider, Schema, Declared> = UndefinedToUnknown<
  KeysOfEach<Declared> extends never ? CallValidatorTypeProvider<Provider, Schema> : Declared
>;

export interface FastifyRequestType<
  Params = unknown,
  Querystring = unknown,
  Headers = unknown,
  Body = unknown,
> {
  params: Params;
  query: Querystring;
  headers: Headers;
  body: Body;
}

/** The types of the four parts of a route's request. */
export interface ResolveFastifyRequestType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> extends FastifyRequestType {
  params: ResolvePart<TypeProvider, SchemaCompiler['params'], RouteGeneric['Params']>;
  query: ResolvePart<TypeProvider, SchemaCompiler['querystring'], RouteGeneric['Querystring']>;
  headers: RecordKeysToLowercase<
    ResolvePart<TypeProvider, SchemaCompiler['headers'], RouteGeneric['Headers']>
  >;
  body: ResolvePart<TypeProvider, SchemaCompiler['body'], RouteGeneric['Body']>;
}

/** The payload of one entry of a `response` schema: one type, or a union of one for each media type. */
type PayloadOf<Provider extends FastifyTypeProvider, Entry> = Entry extends {
  content: { [mediaType: string]: { schema: unknown } };
}
  ? {
      [Type in keyof Entry['content']]: CallSerializerTypeProvider<
        Provider,
        Entry['content'][Type]['schema']
      >;
    } extends infer Payloads
    ? Payloads[keyof Payloads]
    : unknown
  : CallSerializerTypeProvider<Provider, Entry>;

type PayloadOfSchema<Provider extends FastifyTypeProvider, Response> = {
  [Status in keyof Response]: PayloadOf<Provider, Response[Status]>;
} extends infer Payloads
  ? Payloads[keyof Payloads]
  : unknown;

export type FastifyReplyType<Reply = unknown> = Reply;

/** What a route may send: its `Reply` type, or the union of what its response schemas describe. */
export type ResolveFastifyReplyType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> = UndefinedToUnknown<
  KeysOfEach<RouteGeneric['Reply']> extends never
    ? PayloadOfSchema<TypeProvider, SchemaCompiler['response']>
    : RouteGeneric['Reply']
>;

type ReturnOfGeneric<RouteGeneric extends RouteGenericInterface> = RouteGeneric extends { Reply: infer Reply }
  ? keyof Reply extends HttpKeys
    ? Reply[keyof Reply] | Reply
    : Reply
  : unknown;

/** What a handler may return: a payload, nothing, or a promise of either. */
export type ResolveFastifyReplyReturnType<
  TypeProvider extends FastifyTypeProvider,
  SchemaCompiler extends FastifySchema,
  RouteGeneric extends RouteGenericInterface,
> =
  ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric> extends infer Payload
    ? RouteGeneric['Reply'] extends Payload
      ? ReturnOfGeneric<RouteGeneric> extends infer Declared
        ? Declared | void | Promise<Declared | void>
        : unknown
      : Payload | void | Promise<Payload | void>
    : unknown;

/** A promise that need not be awaited, because the framework handles its rejection. */
export type SafePromiseLike<T> = PromiseLike<T> & { __linterBrands: 'SafePromiseLike' };

/** The arguments of `send`: the payload may be omitted only if the route allows `undefined`. */
export type SendArgs<ReplyType> = unknown extends ReplyType
  ? [payload?: ReplyType]
  : [ReplyType] extends [undefined | void]
    ? [payload?: ReplyType]
    : [payload: ReplyType];
