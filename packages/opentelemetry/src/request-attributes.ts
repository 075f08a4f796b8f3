/** Creates the attributes of a request, from the stable HTTP semantic conventions (https://opentelemetry.io/docs/specs/semconv/http/). */
import type { Attributes } from '@opentelemetry/api';
import type { RequestTrace } from 'ambit';

/** The settings for the attributes of requests. */
export interface AttributeRules {
  readonly knownMethods: ReadonlySet<string>;
  readonly redacted: ReadonlySet<string>;
}

/** The attributes of the span of a request at its start, so that samplers see them. */
export function requestAttributes(trace: RequestTrace, rules: AttributeRules): Attributes {
  const { request } = trace;
  const { method, originalUrl } = request;
  const attributes: Attributes = {
    'http.request.method': rules.knownMethods.has(method) ? method : otherMethod,
    'url.scheme': request.protocol ?? 'http',
  };
  if (attributes['http.request.method'] === otherMethod) attributes['http.request.method_original'] = method;
  if (trace.route !== undefined) attributes['http.route'] = trace.route;
  addUrl(attributes, originalUrl, rules.redacted);
  addServer(attributes, request);
  addPeer(attributes, request);
  if (trace.httpVersion !== undefined)
    attributes['network.protocol.version'] = trace.httpVersion === '2.0' ? '2' : trace.httpVersion;
  const userAgent = trace.header('user-agent');
  if (typeof userAgent === 'string') attributes['user_agent.original'] = userAgent;
  return attributes;
}

function addUrl(attributes: Attributes, url: string, redacted: ReadonlySet<string>): void {
  const query = url.indexOf('?');
  attributes['url.path'] = query === -1 ? url : url.slice(0, query);
  if (query !== -1 && query < url.length - 1)
    attributes['url.query'] = redactQuery(url.slice(query + 1), redacted);
}

/** Adds the host that the client requested, as the application sees it behind its proxies. */
function addServer(attributes: Attributes, { hostname, port }: RequestTrace['request']): void {
  if (hostname === '') return;
  attributes['server.address'] = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  attributes['server.port'] = port ?? (attributes['url.scheme'] === 'https' ? 443 : 80);
}

function addPeer(attributes: Attributes, { ip, socket }: RequestTrace['request']): void {
  if (ip !== undefined) attributes['client.address'] = ip;
  const peer = socket as typeof socket | undefined;
  if (peer?.remoteAddress === undefined) return;
  attributes['network.peer.address'] = peer.remoteAddress;
  if (peer.remotePort !== undefined) attributes['network.peer.port'] = peer.remotePort;
}

/** The name of the span of a request: `GET /users/:id`, or only the method if there is no route. */
export function spanName(method: string, route: string | undefined): string {
  const displayMethod = method === otherMethod ? 'HTTP' : method;
  return route === undefined ? displayMethod : `${displayMethod} ${route}`;
}

/** The methods of RFC 9110, section 9, and RFC 5789. */
const standardMethods = ['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'TRACE'];

/** A variable of the semantic conventions: a list with commas, which replaces the standard methods. */
const variable = 'OTEL_INSTRUMENTATION_HTTP_KNOWN_METHODS';

/** The known methods, from the environment or the standards. */
export function readKnownMethods(
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlySet<string> {
  const entries = (environment[variable] ?? '').split(',').map((name) => name.trim());
  const names = entries.filter((name) => name !== '');
  return new Set(names.length > 0 ? names : standardMethods);
}

/** The value of `http.request.method` for an unknown method. */
const otherMethod = '_OTHER';

/** The parameters that the HTTP semantic conventions name for the attribute `url.query`. */
export const defaultRedacted: readonly string[] = ['AWSAccessKeyId', 'Signature', 'sig', 'X-Goog-Signature'];

/** Replaces the values of some parameters with `REDACTED`. Names are compared as sent, and decoded. */
function redactQuery(query: string, redacted: ReadonlySet<string>): string {
  if (redacted.size === 0) return query;
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      if (equals === -1) return pair;
      const name = pair.slice(0, equals);
      return redacted.has(name) || redacted.has(decode(name)) ? `${name}=REDACTED` : pair;
    })
    .join('&');
}

function decode(name: string): string {
  if (!name.includes('%')) return name;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
