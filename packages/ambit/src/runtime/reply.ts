/** The base class of replies. Contexts derive their own class from it, with their decorators as fields. */

import type { InstanceBase } from '../context/decorators.ts';
import { forbiddenTrailers, isFieldName } from '../shared/http-facts.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { textOf } from '../shared/thrown-values.ts';
import type { SerializerFunction } from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import {
  ContentSerializerMissing,
  DecoratorUndeclared,
  RedirectUrlInvalid,
  SerializerMissing,
  TrailerNameInvalid,
  TrailerValueInvalid,
} from '../types/errors.ts';
import { contentTypeOf, type Exchange, type ExchangeHolder, exchangeKey } from '../types/exchange.ts';
import type { Logger } from '../types/logger.ts';
import type { Plan } from '../types/plan.ts';
import type { HeaderValue, Reply, TrailerFunction } from '../types/reply.ts';
import type { Request } from '../types/request.ts';
import type { RouteInfo } from '../types/route-info.ts';
import { callNotFound } from './error-reply.ts';
import { log, removeReplyHeader, setReplyHeader, setStatus, translateError } from './exchange.ts';
import { releaseMonitor } from './request-monitor.ts';
import { pickSerializer, send } from './send.ts';

export interface BaseReply extends ExchangeHolder {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: classes cannot declare fields under symbols where types are isolated.
export class BaseReply implements Reply {
  readonly request: Request;
  log: Logger;

  constructor(exchange: Exchange, request: Request, log: Logger) {
    this.request = request;
    this.log = log;
    this[exchangeKey] = exchange;
  }

  get raw(): Reply['raw'] {
    return this[exchangeKey].rawResponse as Reply['raw'];
  }

  set raw(raw: Reply['raw']) {
    this[exchangeKey].rawResponse = raw;
  }

  get server(): Context {
    return this[exchangeKey].plan.context;
  }

  get routeOptions(): RouteInfo {
    return this[exchangeKey].request.routeOptions;
  }

  get sent(): boolean {
    return isSent(this[exchangeKey]);
  }

  get statusCode(): number {
    return this[exchangeKey].status;
  }

  set statusCode(status: number) {
    setStatus(this[exchangeKey], status);
  }

  get elapsedTime(): number {
    const { startedAtMs = 0, endedAtMs = 0 } = this[exchangeKey].monitor ?? {};
    return startedAtMs === 0 ? 0 : (endedAtMs || performance.now()) - startedAtMs;
  }

  get mediaType(): string | undefined {
    return parseMediaType(contentTypeOf(this[exchangeKey])).essence;
  }

  send(payload?: unknown): this {
    send(this[exchangeKey], payload);
    return this;
  }

  code(status: number): this {
    setStatus(this[exchangeKey], status);
    return this;
  }

  status(status: number): this {
    setStatus(this[exchangeKey], status);
    return this;
  }

  header(name: string, value: HeaderValue = ''): this {
    setReplyHeader(this[exchangeKey], name.toLowerCase(), value);
    return this;
  }

  headers(values: { [name: string]: HeaderValue }): this {
    for (const name of Object.keys(values)) this.header(name, values[name]);
    return this;
  }

  getHeader(name: string): ReturnType<Reply['getHeader']> {
    const key = name.toLowerCase();
    const own = this[exchangeKey].replyHeaders;
    return (Object.hasOwn(own, key) ? own[key] : undefined) ?? this[exchangeKey].getRawField(key);
  }

  getHeaders(): ReturnType<Reply['getHeaders']> {
    return { ...this[exchangeKey].rawFields, ...this[exchangeKey].replyHeaders };
  }

  hasHeader(name: string): boolean {
    const key = name.toLowerCase();
    return Object.hasOwn(this[exchangeKey].replyHeaders, key) || this[exchangeKey].hasRawField(key);
  }

  removeHeader(name: string): this {
    removeReplyHeader(this[exchangeKey], name.toLowerCase());
    return this;
  }

  type(mediaType: string): this {
    this[exchangeKey].replyHeaders['content-type'] = mediaType;
    return this;
  }

  redirect(url: string | URL, status?: number): this {
    const x = this[exchangeKey];
    setStatus(x, status || (x.hasStatus ? x.status : 302));
    const location = encodeLocation(url);
    if (location === undefined) return this.send(new RedirectUrlInvalid(textOf(url)));
    setReplyHeader(x, 'location', location);
    return this.send();
  }

  callNotFound(): this {
    callNotFound(this[exchangeKey]);
    return this;
  }

  hijack(): this {
    const x = this[exchangeKey];
    x.replyState = 'hijacked';
    x.responseEpoch++;
    releaseMonitor(x);
    return this;
  }

  trailer(name: string, value: TrailerFunction<this>): this {
    const key = name.toLowerCase();
    if (forbiddenTrailers.has(key) || !isFieldName(key))
      throw translateError(this[exchangeKey], new TrailerNameInvalid(key));
    if (typeof value !== 'function')
      throw translateError(this[exchangeKey], new TrailerValueInvalid(key, typeof value));
    const x = this[exchangeKey];
    // Without a prototype, so that `__proto__` is a name like any other.
    x.trailers ??= Object.create(null) as NonNullable<Exchange['trailers']>;
    x.trailers[key] = value as unknown as TrailerFunction<Reply>;
    return this;
  }

  hasTrailer(name: string): boolean {
    const { trailers } = this[exchangeKey];
    return trailers !== undefined && Object.hasOwn(trailers, name.toLowerCase());
  }

  removeTrailer(name: string): this {
    const { trailers } = this[exchangeKey];
    if (trailers !== undefined) delete trailers[name.toLowerCase()];
    return this;
  }

  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this {
    this[exchangeKey].writeEarlyHints(hints, callback);
    return this;
  }

  serializer(serialize: (payload: never) => string | Buffer): this {
    this[exchangeKey].serialize = serialize;
    return this;
  }

  serialize(payload: unknown): string {
    const x = this[exchangeKey];
    return pickSerializer(x)(payload as never, x.status) as string;
  }

  getSerializationFunction(
    statusOrSchema: string | number | object,
    mediaType?: string,
  ): SerializerFunction | undefined {
    const { plan } = this[exchangeKey];
    if (typeof statusOrSchema === 'string' || typeof statusOrSchema === 'number') {
      return plan.serializers?.get(statusOrSchema, mediaType);
    }
    return typeof statusOrSchema === 'object' && statusOrSchema !== null
      ? compiledSerializers.find(plan, statusOrSchema)
      : undefined;
  }

  compileSerializationSchema(
    schema: object,
    status: string | number | null = null,
    mediaType: string | null = null,
  ): SerializerFunction {
    const { plan } = this[exchangeKey];
    const { method, url } = this[exchangeKey];
    return compiledSerializers.findOrCompile(plan, schema, () =>
      plan.compileSerializer({
        schema,
        method,
        url,
        httpStatus: status as string,
        contentType: mediaType as string,
      }),
    );
  }

  serializeInput(
    input: unknown,
    schemaOrStatus: object | string | number,
    statusOrMediaType?: string | number,
    mediaType?: string,
  ): string {
    if (typeof schemaOrStatus === 'object') {
      const serialize = this.compileSerializationSchema(schemaOrStatus, statusOrMediaType, mediaType);
      return serialize(input as never);
    }
    const type = statusOrMediaType as string | undefined;
    const serialize = this.getSerializationFunction(schemaOrStatus, type);
    if (serialize !== undefined) return serialize(input as never);
    const missing = type
      ? new ContentSerializerMissing(schemaOrStatus, type)
      : new SerializerMissing(schemaOrStatus);
    throw translateError(this[exchangeKey], missing);
  }

  getDecorator<T = unknown>(name: string | symbol): T {
    return readDecorator(this, name, 'reply') as T;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await reply` waits until the response has ended.
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void {
    if (isSent(this[exchangeKey])) {
      fulfilled?.(undefined);
      return;
    }
    this[exchangeKey].onceClosed((error) => {
      // A client that left early is not an error of the reply.
      if (error == null || (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE')
        fulfilled?.(undefined);
      else if (rejected != null) rejected(error);
      else log(this[exchangeKey], 'warn', 'unhandled rejection on reply.then');
    });
  }
}

/** What decorators of replies must not replace: the members of the class, and the fields that each reply has. */
export const replyBase: InstanceBase = {
  prototype: BaseReply.prototype,
  fields: new Set(['raw', 'request', 'log']),
};

// Plugins read this symbol of Fastify to know whether the application has set a serializer.
Object.defineProperty(BaseReply.prototype, Symbol.for('fastify.reply.serializer'), {
  get(this: BaseReply) {
    return this[exchangeKey].serialize;
  },
});

function isSent({ replyState, isEnded }: Exchange): boolean {
  return replyState === 'hijacked' || isEnded;
}

/** Percent-encodes all characters except visible ASCII, also line ends, because a URL must consist of visible ASCII (RFC 3986, 2). */
function encodeLocation(url: unknown): string | undefined {
  let text: string;
  try {
    text = url === undefined ? '' : `${url}`;
  } catch {
    return undefined;
  }
  // Half of a surrogate pair cannot be encoded.
  return text.replace(/\p{Surrogate}/gu, '\ufffd').replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** Caches, for each route, the schemas that handlers compile themselves. Plans of one route share its `info`. */
export class CompiledSchemas<Compiled> {
  readonly #byRoute = new WeakMap<Plan['info'], WeakMap<object, Compiled>>();

  find({ info }: Plan, schema: object): Compiled | undefined {
    return this.#byRoute.get(info)?.get(schema);
  }

  findOrCompile({ info }: Plan, schema: object, compile: () => Compiled): Compiled {
    const schemas = this.#byRoute.get(info) ?? new WeakMap<object, Compiled>();
    this.#byRoute.set(info, schemas);
    const compiled = schemas.get(schema) ?? compile();
    schemas.set(schema, compiled);
    return compiled;
  }
}

/** Returns a member of a request or a reply. A function is bound, so that it can be passed on. */
export function readDecorator(
  holder: ExchangeHolder,
  name: string | symbol,
  kind: 'request' | 'reply',
): unknown {
  checkDecorator(holder, name, kind);
  const value = (holder as unknown as Record<string | symbol, unknown>)[name];
  return typeof value === 'function' ? value.bind(holder) : value;
}

export function checkDecorator(
  holder: ExchangeHolder,
  name: string | symbol,
  kind: 'request' | 'reply',
): void {
  if (!(name in holder))
    throw translateError(
      holder[exchangeKey],
      DecoratorUndeclared.at({ hint: didYouMean(String(name), Object.keys(holder)) }, String(name), kind),
    );
}

const compiledSerializers = new CompiledSchemas<SerializerFunction>();
