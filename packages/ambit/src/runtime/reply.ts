/** The class behind every reply. Contexts derive their own from it, with their decorators as fields. */
import { finished } from 'node:stream';
import type { SerializerFunction } from '../contract/compiler.ts';
import type { Context, Reply, Request, RouteInfo } from '../contract/context.ts';
import {
  ContentSerializerMissing,
  DecoratorUndeclared,
  SerializerMissing,
  StatusCodeInvalid,
  TrailerNameInvalid,
  TrailerValueInvalid,
} from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { Logger } from '../contract/logger.ts';
import type { HeaderValue, TrailerFunction } from '../contract/reply.ts';
import { forbiddenTrailers, isFieldName } from '../kit/http-facts.ts';
import { parseMediaType } from '../kit/media-type.ts';
import { writeJson } from '../serialization/write-json.ts';
import { CompiledSchemas } from './compiled-schemas.ts';
import { callNotFound } from './not-found.ts';
import { contentTypeOf, send } from './send.ts';
import { releaseWatch } from './watch.ts';

const compiledSerializers = new CompiledSchemas<SerializerFunction>();

export class BaseReply implements Reply {
  readonly request: Request;
  log: Logger;
  /** The exchange behind this reply; internal. */
  readonly exchange: Exchange;

  constructor(exchange: Exchange, request: Request, log: Logger) {
    this.request = request;
    this.log = log;
    this.exchange = exchange;
  }

  get raw(): Reply['raw'] {
    return this.exchange.rawResponse;
  }

  set raw(raw: Reply['raw']) {
    this.exchange.rawResponse = raw;
  }

  get server(): Context {
    return this.exchange.plan.context;
  }

  get routeOptions(): RouteInfo {
    return this.request.routeOptions;
  }

  get sent(): boolean {
    return this.exchange.stage === 'hijacked' || this.exchange.isEnded;
  }

  get statusCode(): number {
    return this.exchange.status;
  }

  set statusCode(status: number) {
    this.code(status);
  }

  get elapsedTime(): number {
    const { startedAtMs = 0, endedAtMs = 0 } = this.exchange.watch ?? {};
    return startedAtMs === 0 ? 0 : (endedAtMs || performance.now()) - startedAtMs;
  }

  get mediaType(): string | undefined {
    return parseMediaType(contentTypeOf(this.exchange)).essence;
  }

  send(payload?: unknown): this {
    send(this.exchange, payload);
    return this;
  }

  code(status: number): this {
    // RFC 9110, 15: three digits, of which the first names the class.
    const number = Math.trunc(Number(status));
    if (!(number >= 100 && number <= 599)) throw new StatusCodeInvalid(status || String(status));
    this.exchange.status = number;
    this.exchange.hasStatus = true;
    return this;
  }

  status(status: number): this {
    return this.code(status);
  }

  header(name: string, value: HeaderValue = ''): this {
    const { replyHeaders } = this.exchange;
    const key = name.toLowerCase();
    if (key === 'set-cookie') addCookie(replyHeaders, value);
    else if (key === '__proto__') Object.defineProperty(replyHeaders, key, { value, enumerable: true });
    else replyHeaders[key] = value;
    return this;
  }

  headers(values: { [name: string]: HeaderValue }): this {
    for (const name of Object.keys(values)) this.header(name, values[name]);
    return this;
  }

  getHeader(name: string): ReturnType<Reply['getHeader']> {
    const key = name.toLowerCase();
    const own = this.exchange.replyHeaders;
    return (Object.hasOwn(own, key) ? own[key] : undefined) ?? this.exchange.getHeader(key);
  }

  getHeaders(): ReturnType<Reply['getHeaders']> {
    return { ...this.exchange.getHeaders(), ...this.exchange.replyHeaders };
  }

  hasHeader(name: string): boolean {
    const key = name.toLowerCase();
    return Object.hasOwn(this.exchange.replyHeaders, key) || this.exchange.hasHeader(key);
  }

  removeHeader(name: string): this {
    const key = name.toLowerCase();
    delete this.exchange.replyHeaders[key];
    this.exchange.removeHeader(key);
    return this;
  }

  type(mediaType: string): this {
    this.exchange.replyHeaders['content-type'] = mediaType;
    return this;
  }

  redirect(url: string, status?: number): this {
    const chosen = status || (this.exchange.hasStatus ? this.exchange.status : 302);
    return this.header('location', encodeLocation(url)).code(chosen).send();
  }

  callNotFound(): this {
    callNotFound(this.exchange);
    return this;
  }

  hijack(): this {
    const x = this.exchange;
    x.stage = 'hijacked';
    x.claim++;
    releaseWatch(x);
    return this;
  }

  trailer(name: string, value: TrailerFunction<this>): this {
    const key = name.toLowerCase();
    if (forbiddenTrailers.has(key) || !isFieldName(key)) throw new TrailerNameInvalid(key);
    if (typeof value !== 'function') throw new TrailerValueInvalid(key, typeof value);
    this.exchange.trailers ??= {};
    this.exchange.trailers[key] = value as unknown as TrailerFunction<Reply>;
    return this;
  }

  hasTrailer(name: string): boolean {
    const { trailers } = this.exchange;
    return trailers !== undefined && Object.hasOwn(trailers, name.toLowerCase());
  }

  removeTrailer(name: string): this {
    const { trailers } = this.exchange;
    if (trailers !== undefined) delete trailers[name.toLowerCase()];
    return this;
  }

  writeEarlyHints(hints: Record<string, string | string[]>, callback?: () => void): this {
    this.exchange.writeEarlyHints(hints, callback);
    return this;
  }

  serializer(serialize: (payload: never) => string | Buffer): this {
    this.exchange.serialize = serialize;
    return this;
  }

  serialize(payload: unknown): string {
    const { plan, serialize, status } = this.exchange;
    if (serialize !== undefined) return serialize(payload as never) as string;
    if (plan.replySerializer !== undefined) return plan.replySerializer(payload as never, status);
    const bySchema = plan.serializers?.pick(status, undefined);
    return bySchema === undefined ? writeJson(payload) : bySchema(payload as never);
  }

  getSerializationFunction(
    statusOrSchema: string | number | object,
    mediaType?: string,
  ): SerializerFunction | undefined {
    const { plan } = this.exchange;
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
    const { plan } = this.exchange;
    const { method, url } = this.request;
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
    throw type ? new ContentSerializerMissing(schemaOrStatus, type) : new SerializerMissing(schemaOrStatus);
  }

  getDecorator<T = unknown>(name: string | symbol): T {
    if (!(name in this)) throw new DecoratorUndeclared(String(name), 'reply');
    const value = (this as unknown as Record<string | symbol, unknown>)[name];
    return (typeof value === 'function' ? value.bind(this) : value) as T;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await reply` waits until the response is out.
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void {
    if (this.sent) {
      fulfilled?.(undefined);
      return;
    }
    finished(this.exchange.responseStream, (error) => {
      // A client that left early is not an error of the reply.
      if (error == null || (error as { code?: string }).code === 'ERR_STREAM_PREMATURE_CLOSE')
        fulfilled?.(undefined);
      else if (rejected != null) rejected(error);
      else this.log.warn('unhandled rejection on reply.then');
    });
  }
}

// Adapters look here whether the application serializes by itself; the name is the ecosystem's.
Object.defineProperty(BaseReply.prototype, Symbol.for('fastify.reply.serializer'), {
  get(this: BaseReply) {
    return this.exchange.serialize;
  },
});

/** A field value is visible ASCII, and so is a URL (RFC 3986, 2): everything else is percent-encoded, line ends included. */
function encodeLocation(url: string): string {
  return url.replace(/[^\x21-\x7e]+/gu, encodeURIComponent);
}

/** Each cookie is a field of its own (RFC 6265, 3): they add up, and the caller's array is never shared. */
function addCookie(headers: Exchange['replyHeaders'], value: HeaderValue): void {
  const before = headers['set-cookie'];
  if (before === undefined) headers['set-cookie'] = Array.isArray(value) ? value.slice() : value;
  else headers['set-cookie'] = [before, value].flat() as string[];
}
