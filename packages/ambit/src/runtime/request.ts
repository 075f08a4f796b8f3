/** The base class of requests. Contexts derive their own class from it, with their decorators as fields. */

import { createRequire } from 'node:module';
import type { InstanceBase } from '../context/decorators.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { firstFieldText, parseMediaType } from '../shared/media-type.ts';
import type { HttpPart, ValidatorFunction } from '../types/compilers.ts';
import type { Context } from '../types/context.ts';
import { ValidationInvocationInvalid } from '../types/errors.ts';
import {
  type Exchange,
  type ExchangeHolder,
  exchangeKey,
  type Params,
  type RequestId,
} from '../types/exchange.ts';
import type { Logger } from '../types/logger.ts';
import type { AmbitOptions } from '../types/options.ts';
import type { Request } from '../types/request.ts';
import type { RouteInfo } from '../types/route-info.ts';
import { requestIdText, translateError } from './exchange.ts';
import { CompiledSchemas, checkDecorator, readDecorator } from './reply.ts';
import { remainingMsOf, signalOf } from './request-monitor.ts';

const require = createRequire(import.meta.url);

type RawRequest = Request['raw'];
type Trust = (address: string, hop: number) => boolean;
/** The two fields of a request that proxy-addr reads. */
interface Forwarded {
  headers: Request['headers'];
  socket: { remoteAddress: string | undefined };
}
const loadProxyAddr = lazyModule<{
  all(request: Forwarded, trust: Trust): string[];
  compile(addresses: string[]): Trust;
}>(() => require('@fastify/proxy-addr'));

const compiledValidators = new CompiledSchemas<ValidatorFunction>();

export interface BaseRequest extends ExchangeHolder {}

// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: classes cannot declare fields under symbols where types are isolated.
export class BaseRequest implements Request {
  params: unknown;
  query: unknown;
  log: Logger;
  body: unknown;

  constructor(exchange: Exchange, id: RequestId, params: Params | undefined, query: unknown, log: Logger) {
    exchange.id = id;
    this.params = params;
    this.query = query;
    this.log = log;
    this.body = undefined;
    this[exchangeKey] = exchange;
  }

  get id(): string {
    return requestIdText(this[exchangeKey].id);
  }

  set id(id: string) {
    this[exchangeKey].id = id;
  }

  get raw(): RawRequest {
    return this[exchangeKey].rawRequest;
  }

  set raw(raw: RawRequest) {
    this[exchangeKey].rawRequest = raw;
  }

  get server(): Context {
    return this[exchangeKey].plan.context;
  }

  get method(): string {
    return this[exchangeKey].method;
  }

  get url(): string {
    return this[exchangeKey].url;
  }

  get canonicalPath(): string {
    const x = this[exchangeKey];
    return x.plan.server.canonicalPath(x.url);
  }

  get originalUrl(): string {
    return this[exchangeKey].originalUrl;
  }

  get routeOptions(): RouteInfo {
    const { info, server } = this[exchangeKey].plan;
    const version = this[exchangeKey].requestHeader('accept-version');
    if (version === undefined || !server.hasVersionConstraint()) return info;
    return { ...info, version: String(version) };
  }

  get is404(): boolean {
    return this[exchangeKey].plan.isNotFound;
  }

  get headers(): Request['headers'] {
    return this[exchangeKey].headers;
  }

  set headers(added: Request['headers']) {
    this[exchangeKey].ownHeaders = { ...this[exchangeKey].requestHeaders, ...added };
  }

  get mediaType(): string | undefined {
    const x = this[exchangeKey];
    x.mediaType ??= parseMediaType(firstFieldText(x.header('content-type')));
    return x.mediaType.essence;
  }

  get socket(): Request['socket'] {
    return this[exchangeKey].rawSocket as Request['socket'];
  }

  get signal(): AbortSignal {
    return signalOf(this[exchangeKey]);
  }

  get remainingMs(): number {
    return remainingMsOf(this[exchangeKey]);
  }

  get ip(): string | undefined {
    const x = this[exchangeKey];
    return addressesOf(x)?.at(-1) ?? x.peerAddress;
  }

  get ips(): string[] | undefined {
    return addressesOf(this[exchangeKey]);
  }

  get host(): string {
    return hostOf(this[exchangeKey]);
  }

  get hostname(): string {
    const host = hostOf(this[exchangeKey]);
    // An IPv6 address is in brackets, because it contains colons (RFC 3986, 3.2.2).
    return host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.split(':', 1)[0]!;
  }

  get port(): number | null {
    const port = /:(\d+)$/.exec(hostOf(this[exchangeKey]))?.[1];
    return port === undefined ? null : Number(port);
  }

  get protocol(): 'http' | 'https' | undefined {
    const x = this[exchangeKey];
    const forwarded = forwardedValue(x, 'x-forwarded-proto');
    if (forwarded !== undefined) return forwarded as 'http' | 'https';
    const { isEncrypted } = x;
    return isEncrypted === undefined ? undefined : isEncrypted ? 'https' : 'http';
  }

  getValidationFunction(partOrSchema: HttpPart | 'query' | object): ValidatorFunction | undefined {
    const { plan } = this[exchangeKey];
    if (typeof partOrSchema === 'string') return partValidator(this[exchangeKey], partOrSchema);
    return typeof partOrSchema === 'object' && partOrSchema !== null
      ? compiledValidators.find(plan, partOrSchema)
      : undefined;
  }

  compileValidationSchema(schema: object, httpPart: HttpPart | null = null): ValidatorFunction {
    const { method, url, plan } = this[exchangeKey];
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
    const validator = part === undefined ? undefined : partValidator(this[exchangeKey], part);
    if (validator !== undefined) return validator(input);
    if (typeof schemaOrPart !== 'object' || schemaOrPart === null || Array.isArray(schemaOrPart)) {
      throw translateError(this[exchangeKey], new ValidationInvocationInvalid(part));
    }
    return this.compileValidationSchema(schemaOrPart, httpPart)(input);
  }

  getDecorator<T = unknown>(name: string | symbol): T {
    return readDecorator(this, name, 'request') as T;
  }

  setDecorator<T = unknown>(name: string | symbol, value: T): void {
    checkDecorator(this, name, 'request');
    (this as Record<string | symbol, unknown>)[name] = value;
  }
}

/** What decorators of requests must not replace: the members of the class, and the fields that each request has. */
export const requestBase: InstanceBase = {
  prototype: BaseRequest.prototype,
  fields: new Set(['id', 'params', 'raw', 'query', 'log', 'body']),
};

function partValidator(x: Exchange, part: string): ValidatorFunction | undefined {
  const key = part === 'query' ? 'querystring' : part;
  return x.plan.validators?.[key as HttpPart];
}

/** Returns the addresses from the peer to the client; `undefined` if no proxy is trusted. */
function addressesOf(x: Exchange): string[] | undefined {
  const { isTrustedProxy } = x.plan.server;
  if (isTrustedProxy === undefined) return undefined;
  const { 'x-forwarded-for': addresses } = x.requestHeaders;
  const headers = { 'x-forwarded-for': addresses && withoutPorts(String(addresses)) };
  return loadProxyAddr().all({ headers, socket: { remoteAddress: x.peerAddress } }, isTrustedProxy);
}

/** Some proxies, such as those of Azure, add the port of the client, and brackets around an IPv6 address. */
function withoutPorts(addresses: string): string {
  return addresses.replace(
    /(^|,)(\s*)(?:([\d.]+):\d+|\[([\da-f:.]+(?:%[^\]]+)?)\](?::\d+)?)(?=\s*(?:,|$))/gi,
    '$1$2$3$4',
  );
}

function hostOf(x: Exchange): string {
  const forwarded = forwardedValue(x, 'x-forwarded-host');
  // A request of HTTP/1.0 may have no host, and a headers schema may remove it.
  return forwarded ?? (x.header('host') as string | undefined) ?? x.authority ?? '';
}

/** Returns the last value of a forwarding header, because each proxy appends its own. Only a trusted peer is believed. */
function forwardedValue(x: Exchange, name: 'x-forwarded-host' | 'x-forwarded-proto'): string | undefined {
  const { isTrustedProxy } = x.plan.server;
  if (isTrustedProxy === undefined) return undefined;
  const value = x.header(name);
  if (!value || !isTrustedProxy(x.peerAddress!, 0)) return undefined;
  return String(value).split(',').at(-1)!.trim();
}

/** Decides which peers' forwarding headers are trusted. By default, none are. */
export function compileTrustProxy(trustProxy: AmbitOptions['trustProxy']): Trust | undefined {
  if (!trustProxy) return undefined;
  if (trustProxy === true) return () => true;
  if (typeof trustProxy === 'function') return trustProxy;
  // A number of hops does not show who the nearest peer is: any client could send as many addresses.
  if (typeof trustProxy === 'number') return () => false;
  const addresses =
    typeof trustProxy === 'string' ? trustProxy.split(',').map((text) => text.trim()) : trustProxy;
  return loadProxyAddr().compile(addresses);
}
