/** The class behind every request. Contexts derive their own from it, with their decorators as fields. */
import type { HttpPart, ValidatorFunction } from '../contract/compiler.ts';
import type { Context, Request, RouteInfo } from '../contract/context.ts';
import { DecoratorUndeclared, ValidationInvocationInvalid } from '../contract/errors.ts';
import type { Exchange, Params, RequestId } from '../contract/exchange.ts';
import type { Logger } from '../contract/logger.ts';
import { lazyModule } from '../kit/lazy-module.ts';
import { parseMediaType } from '../kit/media-type.ts';
import { require } from '../kit/require.ts';
import { CompiledSchemas } from './compiled-schemas.ts';
import { requestIdText } from './request-ids.ts';
import { signalOf } from './watch.ts';

type RawRequest = Request['raw'];
type Trust = (address: string, hop: number) => boolean;
const loadProxyAddr = lazyModule<{ all(request: RawRequest, trust: Trust): string[] }>(() =>
  require('@fastify/proxy-addr'),
);

const compiledValidators = new CompiledSchemas<ValidatorFunction>();

export class BaseRequest implements Request {
  params: unknown;
  query: unknown;
  log: Logger;
  body: unknown;
  /** The exchange behind this request; internal. */
  readonly exchange: Exchange;

  constructor(exchange: Exchange, id: RequestId, params: Params | undefined, query: unknown, log: Logger) {
    exchange.id = id;
    this.params = params;
    this.query = query;
    this.log = log;
    this.body = undefined;
    this.exchange = exchange;
  }

  get id(): string {
    return requestIdText(this.exchange.id);
  }

  set id(id: string) {
    this.exchange.id = id;
  }

  get raw(): RawRequest {
    return this.exchange.rawRequest;
  }

  set raw(raw: RawRequest) {
    this.exchange.rawRequest = raw;
  }

  get server(): Context {
    return this.exchange.plan.context;
  }

  get method(): string {
    return this.exchange.method;
  }

  get url(): string {
    return this.exchange.url;
  }

  get originalUrl(): string {
    return (this.raw as RawRequest & { originalUrl?: string }).originalUrl ?? this.exchange.url;
  }

  get routeOptions(): RouteInfo {
    const { info, server } = this.exchange.plan;
    const version = this.exchange.requestHeaders['accept-version'];
    if (version === undefined || !server.hasVersionConstraint()) return info;
    return { ...info, version: String(version) };
  }

  get is404(): boolean {
    return this.exchange.plan.isNotFound;
  }

  get headers(): Request['headers'] {
    return this.exchange.addedHeaders ?? this.exchange.requestHeaders;
  }

  set headers(added: Request['headers']) {
    this.exchange.addedHeaders = { ...this.exchange.requestHeaders, ...added };
  }

  get mediaType(): string | undefined {
    const x = this.exchange;
    x.mediaType ??= parseMediaType(this.headers['content-type']);
    return x.mediaType.essence;
  }

  get socket(): Request['socket'] {
    return this.exchange.socket;
  }

  get signal(): AbortSignal {
    return signalOf(this.exchange);
  }

  get ip(): string | undefined {
    return this.ips?.at(-1) ?? this.socket?.remoteAddress;
  }

  get ips(): string[] | undefined {
    const { trusts } = this.exchange.plan.server;
    return trusts === undefined ? undefined : loadProxyAddr().all(this.raw, trusts);
  }

  get host(): string {
    const { headers } = this;
    const forwarded = forwardedValue(this, 'x-forwarded-host');
    // An HTTP/1.0 request, or a headers schema, may leave none.
    return forwarded ?? headers.host ?? (headers[':authority'] as string | undefined) ?? '';
  }

  get hostname(): string {
    const { host } = this;
    // An IPv6 literal is bracketed, since it has colons of its own (RFC 3986, 3.2.2).
    return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!;
  }

  get port(): number | null {
    const port = /:(\d+)$/.exec(this.host)?.[1];
    return port === undefined ? null : Number(port);
  }

  get protocol(): 'http' | 'https' | undefined {
    const forwarded = forwardedValue(this, 'x-forwarded-proto');
    if (forwarded !== undefined) return forwarded as 'http' | 'https';
    const { socket } = this;
    if (!socket) return undefined;
    return (socket as { encrypted?: boolean }).encrypted ? 'https' : 'http';
  }

  getValidationFunction(partOrSchema: HttpPart | 'query' | object): ValidatorFunction | undefined {
    const { plan } = this.exchange;
    if (typeof partOrSchema === 'string') return partValidator(this.exchange, partOrSchema);
    return typeof partOrSchema === 'object' && partOrSchema !== null
      ? compiledValidators.find(plan, partOrSchema)
      : undefined;
  }

  compileValidationSchema(schema: object, httpPart: HttpPart | null = null): ValidatorFunction {
    const { method, url } = this;
    const { plan } = this.exchange;
    return compiledValidators.findOrCompile(plan, schema, () =>
      plan.compileValidator({ schema, method, url, httpPart: httpPart as HttpPart }),
    );
  }

  validateInput(
    input: unknown,
    schemaOrPart: object | HttpPart | 'query',
    httpPart?: HttpPart,
  ): ReturnType<ValidatorFunction> {
    const part = typeof schemaOrPart === 'string' ? schemaOrPart : httpPart;
    const known = part === undefined ? undefined : partValidator(this.exchange, part);
    if (known !== undefined) return known(input);
    if (typeof schemaOrPart !== 'object' || schemaOrPart === null || Array.isArray(schemaOrPart)) {
      throw new ValidationInvocationInvalid(part);
    }
    return this.compileValidationSchema(schemaOrPart, httpPart)(input);
  }

  getDecorator<T = unknown>(name: string | symbol): T {
    if (!(name in this)) throw new DecoratorUndeclared(String(name), 'request');
    const value = (this as Record<string | symbol, unknown>)[name];
    return (typeof value === 'function' ? value.bind(this) : value) as T;
  }

  setDecorator<T = unknown>(name: string | symbol, value: T): void {
    if (!(name in this)) throw new DecoratorUndeclared(String(name), 'request');
    (this as Record<string | symbol, unknown>)[name] = value;
  }
}

function partValidator(x: Exchange, part: string): ValidatorFunction | undefined {
  const key = part === 'query' ? 'querystring' : part;
  return x.plan.validators?.[key as HttpPart];
}

/** The last value of a forwarding header, believed from a trusted peer only: each proxy appends its own. */
function forwardedValue(
  request: BaseRequest,
  name: 'x-forwarded-host' | 'x-forwarded-proto',
): string | undefined {
  const { trusts } = request.exchange.plan.server;
  const value = request.headers[name];
  const peer = request.socket;
  if (trusts === undefined || !value || !peer || !trusts(peer.remoteAddress!, 0)) return undefined;
  return String(value).split(',').at(-1)!.trim();
}
